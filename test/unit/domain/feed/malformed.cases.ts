import type { FeedItem } from "../../../../services/domain/feed/feed.ts";

/** A feed as it should not be, and what a reader should make of it. */
export interface Malformed {
  name: string;
  body: string | Buffer;
  /** `items` tell what each item must say at least; undefined where the document is no feed. */
  feed?: { title?: string; items: Partial<FeedItem>[] };
}

const channel = (inner: string, before = '<?xml version="1.0"?>') =>
  `${before}<rss version="2.0"><channel><title>F</title><link>http://x.example/</link>${inner}</channel></rss>`;
const item = (n: number | string, inner = "") =>
  `<item><title>T${n}</title><link>http://x.example/${n}</link>${inner}</item>`;
const atom = (inner: string) => `<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title>${inner}</feed>`;
const T = (n: number | string, more: Partial<FeedItem> = {}): Partial<FeedItem> => ({
  title: `T${n}`,
  url: `http://x.example/${n}`,
  ...more,
});
const feed = (...items: Partial<FeedItem>[]) => ({ title: "F", items });
const base64 = (text: string) => Buffer.from(text).toString("base64");

const texts: Malformed[] = [
  {
    name: "a bare < in a title",
    body: channel(`<item><title>a < b</title></item>${item(2)}`),
    feed: feed({ title: "a < b" }, T(2)),
  },
  {
    name: "a heart in a title",
    body: channel(`<item><title>I <3 you</title></item>${item(2)}`),
    feed: feed({ title: "I <3 you" }, T(2)),
  },
  {
    name: "a bare & in a title",
    body: channel("<item><title>Fish & chips & co</title></item>"),
    feed: feed({ title: "Fish & chips & co" }),
  },
  {
    name: "bare & in a link",
    body: channel("<item><title>T</title><link>http://x.example/?a=1&b=2&copy=3</link></item>"),
    feed: feed({ url: "http://x.example/?a=1&b=2&copy=3" }),
  },
  {
    name: "entities of HTML that nothing declares",
    body: channel("<item><title>caf&eacute;&nbsp;&hellip; &bogus;</title></item>"),
    feed: feed({ title: "café\u00a0… &bogus;".replace("\u00a0", " ") }),
  },
  {
    name: "references to C1 controls",
    body: channel("<item><description>don&#146;t &#x93;go&#x94;</description></item>"),
    feed: feed({ content_text: "don’t “go”" }),
  },
  {
    name: "references to no character",
    body: channel("<item><title>a&#0;b&#xFFFFFF;c&#xD800;d</title></item>"),
    feed: feed({ title: "a\ufffdb\ufffdc\ufffdd" }),
  },
  {
    name: "HTML in a title",
    body: channel("<item><title>My <b>bold</b> title</title></item>"),
    feed: feed({ title: "My bold title" }),
  },
  {
    name: "HTML in a description, as broken as it comes",
    body: channel(`${item(1, "<description>one<br>two <p>three <b>four</description>")}${item(2)}`),
    feed: feed(T(1, { content_html: "one<br>two <p>three <b>four</b></p>" }), T(2)),
  },
  {
    name: "a script in a description",
    body: channel(item(1, '<description>a <script>if (1 < 2) alert("x")</script>b</description>')),
    feed: feed(T(1, { content_html: "a b" })),
  },
  {
    name: "markup escaped twice",
    body: channel("<item><title>A &amp;lt;b&amp;gt; tag</title></item>"),
    feed: feed({ title: "A <b> tag" }),
  },
  {
    name: "CDATA that is nested",
    body: channel("<item><title><![CDATA[a]]]]><![CDATA[> b]]></title></item>"),
    feed: feed({ title: "a]]> b" }),
  },
  {
    name: "CDATA beside text",
    body: channel("<item><title>one <![CDATA[& two]]> &amp; three</title></item>"),
    feed: feed({ title: "one & two & three" }),
  },
  {
    name: "an empty title before the real one",
    body: channel("<item><title/><title>T</title></item>"),
    feed: feed({ title: "T" }),
  },
  {
    name: "an author in markup",
    body: atom("<entry><title>T</title><author><name><b>Ada</b> Byron</name></author></entry>"),
    feed: feed({ title: "T", authors: [{ name: "Ada Byron" }] }),
  },
  {
    name: "a creator with a mail address",
    body: channel(item(1, "<dc:creator>Ada Byron (ada@x.example)</dc:creator>")),
    feed: feed(T(1, { authors: [{ name: "Ada Byron" }] })),
  },
  {
    name: "content in base64",
    body: atom(`<entry><title>T</title><content mode="base64">${base64("<p>Hi</p>")}</content></entry>`),
    feed: feed({ title: "T", content_html: "<p>Hi</p>" }),
  },
  {
    name: "content in base64 by its type, a title by its mode",
    body: atom(
      `<entry><title mode="base64">${base64("A <i>b</i>")}</title><content type="application/octet-stream">\n${base64("plain")}\n</content></entry>`,
    ),
    feed: feed({ title: "A b", content_text: "plain" }),
  },
  {
    name: "XHTML that is not closed",
    body: atom(
      '<entry><title>T</title><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Hi</content></entry>',
    ),
    feed: feed({ title: "T", content_html: "<div><p>Hi</p></div>" }),
  },
];

const tags: Malformed[] = [
  {
    name: "markup in the label of a category",
    body: atom('<entry><title>T</title><category term="b" label="&lt;b&gt;Business&lt;/b&gt;"/></entry>'),
    feed: feed({ title: "T", tags: ["Business"] }),
  },
  {
    name: "a link that is not closed",
    body: channel(`${item(1)}<item><link>http://x.example/2<title>T2</title></item>${item(3)}`),
    feed: feed(T(1), T(2), T(3)),
  },
  {
    name: "a title that is not closed",
    body: channel(`<item><title>T1<link>http://x.example/1</link></item>${item(2)}`),
    feed: feed(T(1), T(2)),
  },
  {
    name: "a title closed by another tag",
    body: channel(`<item><title>T1</link><link>http://x.example/1</link></item>${item(2)}`),
    feed: feed(T(1), T(2)),
  },
  {
    name: "a misspelt end tag",
    body: channel(`<item><title>T1</titel><link>http://x.example/1</link></item>${item(2)}`),
    feed: feed(T(1), T(2)),
  },
  {
    name: "a description that is not closed",
    body: channel(`<item><description>text<title>T1</title></item>${item(2)}`),
    feed: feed({}, T(2)),
  },
  {
    name: "an item that is not closed",
    body: channel(`<item><title>T1</title><link>http://x.example/1</link>${item(2)}`),
    feed: feed(T(1), T(2)),
  },
  {
    name: "end tags that cross",
    body: channel(`<item><title>T1</item></title>${item(2)}`),
    feed: feed({ title: "T1" }, T(2)),
  },
  {
    name: "end tags of nothing",
    body: channel(`</b>${item(1)}</p></item>${item(2)}`),
    feed: feed(T(1), T(2)),
  },
  {
    name: "links of Atom as HTML writes them",
    body: atom(
      '<entry><title>T1</title><link href="http://x.example/1"><id>1</id></entry><entry><title>T2</title></entry>',
    ),
    feed: feed(T(1, { id: "1" }), { title: "T2" }),
  },
  {
    name: "links of Atom as RSS writes them",
    body: atom(
      '<entry><title>T1</title><link rel="enclosure" type="audio/mpeg">http://x.example/a.mp3</link><link rel="alternate">http://x.example/1</link></entry>',
    ),
    feed: feed(T(1, { attachments: [{ url: "http://x.example/a.mp3", mime_type: "audio/mpeg" }] })),
  },
  {
    name: "an enclosure that is not closed",
    body: channel(`<item><enclosure url="http://x.example/a.mp3" type="audio/mpeg"><title>T1</title></item>`),
    feed: feed({
      title: "T1",
      attachments: [{ url: "http://x.example/a.mp3", mime_type: "audio/mpeg" }],
    }),
  },
  {
    name: "an attribute without quotes",
    body: atom("<entry><title>T1</title><link href=http://x.example/1 /></entry>"),
    feed: feed(T(1)),
  },
  {
    name: "an attribute twice",
    body: atom('<entry><title>T1</title><link href="http://x.example/1" href="http://x.example/9"/></entry>'),
    feed: feed(T(1)),
  },
  {
    name: "a < in an attribute",
    body: channel(`<item><category domain="a<b">c</category><title>T1</title></item>`),
    feed: feed({ title: "T1", tags: ["c"] }),
  },
  {
    name: "dashes in a comment",
    body: channel(`<!-- one -- two --->${item(1)}`),
    feed: feed(T(1)),
  },
  {
    name: "a processing instruction amid items",
    body: channel(`${item(1)}<?php echo "x" ?>${item(2)}`),
    feed: feed(T(1), T(2)),
  },
  { name: "names in capitals", body: channel(item(1)).toUpperCase(), feed: { items: [{ title: "T1" }] } },
  {
    name: "names in any case",
    body: channel("<Item><Title>T1</Title><PUBDATE>Tue, 03 Jun 2025 10:15:00 GMT</PUBDATE></Item>"),
    feed: feed({ title: "T1", date_published: "2025-06-03T10:15:00.000Z" }),
  },
  {
    name: "a self-closed item",
    body: channel(`<item/>${item(1)}`),
    feed: feed({}, T(1)),
  },
];

const frames: Malformed[] = [
  {
    name: "cut within an item",
    body: channel(`${item(1)}${item(2)}`).split("T2")[0] ?? "",
    feed: feed(T(1)),
  },
  {
    name: "cut within CDATA",
    body: `${channel(item(1)).split("</channel>")[0]}<item><title><![CDATA[T2 and`,
    feed: feed(T(1)),
  },
  { name: "cut before the first item", body: '<rss version="2.0"><channel><title>F</title><item><tit' },
  { name: "no end of rss", body: channel(item(1)).replace("</rss>", ""), feed: feed(T(1)) },
  {
    name: "no end of channel and rss",
    body: channel(item(1)).replace("</channel></rss>", ""),
    feed: feed(T(1)),
  },
  {
    name: "items beside the channel",
    body: `<rss version="2.0"><channel><title>F</title></channel>${item(1)}</rss>`,
    feed: feed(T(1)),
  },
  {
    name: "no channel",
    body: `<rss version="2.0"><title>F</title>${item(1)}</rss>`,
    feed: feed(T(1)),
  },
  {
    name: "no root but the channel",
    body: `<channel><title>F</title>${item(1)}</channel>`,
    feed: feed(T(1)),
  },
  {
    name: "a root tag that is broken",
    body: `<rss version="2.0" <channel><title>F</title>${item(1)}</channel></rss>`,
    feed: feed(T(1)),
  },
  { name: "junk behind the root", body: `${channel(item(1))}<script>x</script> junk`, feed: feed(T(1)) },
  {
    name: "warnings of a server before it",
    body: `<br />\n<b>Warning</b>: x in <b>/a.php</b> on line 1<br />\n${channel(item(1))}`,
    feed: feed(T(1)),
  },
  { name: "white space before it", body: `\n\n  ${channel(item(1))}`, feed: feed(T(1)) },
  { name: "a byte order mark", body: `\ufeff${channel(item(1))}`, feed: feed(T(1)) },
  {
    name: "two declarations",
    body: channel(item(1), '<?xml version="1.0"?><?xml version="1.0" encoding="utf-8"?>'),
    feed: feed(T(1)),
  },
  { name: "a doctype of HTML", body: channel(item(1), "<!DOCTYPE html>\n"), feed: feed(T(1)) },
  {
    name: "a doctype in a text",
    body: channel(item(1, "<description>About &lt;!DOCTYPE html> it</description>")),
    feed: feed(T(1)),
  },
  {
    name: "an entity that the document declares",
    body: channel(
      "<item><title>by &author;</title></item>",
      '<!DOCTYPE rss [<!ENTITY author "Ada"><!ENTITY e "x">]>',
    ),
    feed: feed({ title: "by Ada" }),
  },
  {
    name: "an entity from elsewhere",
    body: channel(
      `<item><title>a &x; b</title></item>`,
      '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    ),
    feed: feed({ title: "a &x; b" }),
  },
  {
    name: "entities in entities",
    body: channel(
      `<item><title>a &y; b</title></item>`,
      '<!DOCTYPE rss [<!ENTITY x "xx"><!ENTITY y "&x;&x;">]>',
    ),
    feed: feed({ title: "a &y; b" }),
  },
  {
    name: "a doctype with a system id",
    body: channel(item(1), '<!DOCTYPE rss SYSTEM "http://x.example/rss-0.91.dtd">'),
    feed: feed(T(1)),
  },
  {
    name: "a prefix on rss",
    body: `<r:rss xmlns:r="http://backend.userland.com/rss2"><r:channel><r:title>F</r:title><r:item><r:title>T1</r:title><r:link>http://x.example/1</r:link></r:item></r:channel></r:rss>`,
    feed: feed(T(1)),
  },
  {
    name: "a prefix on feed",
    body: `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>F</a:title><a:entry><a:title>T1</a:title><a:link href="http://x.example/1"/></a:entry></a:feed>`,
    feed: feed(T(1)),
  },
  {
    name: "a prefix that nothing declares",
    body: channel(
      item(1, "<content:encoded>&lt;p&gt;Hi&lt;/p&gt;</content:encoded><dc:creator>Ada</dc:creator>"),
    ),
    feed: feed(T(1, { content_html: "<p>Hi</p>", authors: [{ name: "Ada" }] })),
  },
  {
    name: "RSS in the namespace of Atom",
    body: channel(item(1)).replace("<rss", '<rss xmlns="http://www.w3.org/2005/Atom"'),
    feed: feed(T(1)),
  },
  {
    name: "two channels",
    body: `<rss version="2.0"><channel><title>F</title>${item(1)}</channel><channel>${item(2)}</channel></rss>`,
    feed: feed(T(1), T(2)),
  },
  { name: "an empty channel", body: "<rss><channel></channel></rss>", feed: { items: [] } },
  { name: "an empty feed", body: '<feed xmlns="http://www.w3.org/2005/Atom"></feed>', feed: { items: [] } },
  {
    name: "entries in a wrapper",
    body: atom("<entries><entry><title>T1</title></entry></entries>"),
    feed: feed({ title: "T1" }),
  },
  {
    name: "a JSON Feed with a byte order mark",
    body: `\ufeff{"version":"https://jsonfeed.org/version/1.1","title":"F","items":[{"id":"1","title":"T1","url":"http://x.example/1"}]}`,
    feed: feed(T(1)),
  },
];

const xhtml = 'xmlns="http://www.w3.org/1999/xhtml"';
const dialects: Malformed[] = [
  {
    name: "an item of nothing but a body of XHTML",
    body: channel(`<item><body ${xhtml}><p>Hi</p></body></item>`),
    feed: feed({ content_html: "<p>Hi</p>" }),
  },
  {
    name: "an item of nothing but a full text",
    body: channel(
      '<item><l:fullitem xmlns:l="http://purl.org/rss/1.0/modules/link/">&lt;p&gt;Hi&lt;/p&gt;</l:fullitem></item>',
    ),
    feed: feed({ content_html: "<p>Hi</p>" }),
  },
  {
    name: "an item of nothing but an author",
    body: channel("<item><dc:author>Ada</dc:author></item>"),
    feed: feed({ authors: [{ name: "Ada" }] }),
  },
  {
    name: "an item of nothing but categories",
    body: channel(
      '<item><itunes:category text="Arts"><itunes:category text="Books"/></itunes:category><media:category>c</media:category></item>',
    ),
    feed: feed({ tags: ["c", "Arts", "Books"] }),
  },
  {
    name: "an item of an unknown element",
    body: channel("<item><price>3</price></item>"),
    feed: feed({}),
  },
  {
    name: "RSS 1.1",
    body: `<Channel xmlns="http://purl.org/net/rss1.1#" rdf:about="http://x.example/feed"><title>F</title><link>http://x.example/</link><items>${item(1)}</items></Channel>`,
    feed: feed(T(1)),
  },
  {
    name: "CDF",
    body: `<CHANNEL HREF="http://x.example/"><TITLE>F</TITLE><ITEM HREF="http://x.example/1" LASTMOD="2025-06-03T10:15Z"><TITLE>T1</TITLE><ABSTRACT>Hi</ABSTRACT></ITEM></CHANNEL>`,
    feed: feed(T(1, { content_text: "Hi", date_published: "2025-06-03T10:15:00.000Z" })),
  },
  {
    name: "an id that is a path",
    body: atom("<entry><title>T1</title><id>/posts/1</id></entry>"),
    feed: feed({ title: "T1", id: "http://feeds.example/posts/1" }),
  },
];

const latin1 = (text: string) => Buffer.from(text, "latin1");
const accented = (before: string) => channel("<item><title>Café à la carte</title></item>", before);
const cafe = feed({ title: "Café à la carte" });
const encodings: Malformed[] = [
  {
    name: "UTF-8 by its declaration, Latin-1 by its bytes",
    body: latin1(accented('<?xml version="1.0" encoding="UTF-8"?>')),
    feed: cafe,
  },
  { name: "Latin-1 that nothing declares", body: latin1(accented("")), feed: cafe },
  {
    name: "Latin-1 by its declaration, windows-1252 by its bytes",
    body: latin1(
      channel("<item><title>\u0093Hi\u0094</title></item>", '<?xml version="1.0" encoding="ISO-8859-1"?>'),
    ),
    feed: feed({ title: "“Hi”" }),
  },
  {
    name: "UTF-8 of one wrong byte",
    body: Buffer.concat([
      Buffer.from(accented("").split("carte")[0] ?? ""),
      latin1("cärte"),
      Buffer.from("</title></item></channel></rss>"),
    ]),
    feed: feed({ title: "Café à la c\ufffdrte" }),
  },
  { name: "UTF-16 with a mark", body: Buffer.from(`\ufeff${accented("")}`, "utf16le"), feed: cafe },
  {
    name: "UTF-16 of the other order",
    body: Buffer.from(`\ufeff${accented("")}`, "utf16le").swap16(),
    feed: cafe,
  },
  {
    name: "a charset that nobody knows",
    body: accented('<?xml version="1.0" encoding="klingon"?>'),
    feed: cafe,
  },
];

const none: Malformed[] = [
  { name: "nothing", body: "" },
  { name: "a text", body: "no feed" },
  { name: "a page", body: "<!DOCTYPE html><html><body><p>Hi</p></body></html>" },
  { name: "a page that shows a feed", body: `<html><body><pre>${channel(item(1))}</pre></body></html>` },
  { name: "a page without its frame", body: `<!doctype html><title>x</title><p>${channel(item(1))}` },
  {
    name: "a sitemap",
    body: '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://x.example/</loc></url></urlset>',
  },
  { name: "OPML", body: '<opml version="2.0"><body><outline text="x"/></body></opml>' },
  { name: "JSON", body: '{"items":3}' },
];

export const malformed: Malformed[] = [...texts, ...tags, ...frames, ...dialects, ...encodings, ...none];
