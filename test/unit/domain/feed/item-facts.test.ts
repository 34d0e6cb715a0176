import type { FeedItem } from "../../../../services/domain/feed/feed.ts";
import { parseFeed } from "../../../../services/domain/feed/parse-feed.ts";

const namespaces =
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:p="https://podcastindex.org/namespace/1.0" ' +
  'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/" ' +
  'xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:torrent="http://xmlns.ezrss.it/0.1/"';
const rss = (inner: string) =>
  `<rss version="2.0" ${namespaces}><channel><title>F</title><item><title>T</title>${inner}</item></channel></rss>`;
const atom = (inner: string) =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><entry><title>T</title>${inner}</entry></feed>`;
const json = (item: object) =>
  JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title: "F", items: [{ id: "1", ...item }] });
const hash = "c12fe1c06bba254a9dc9f519b335aa7c1367a88a";
const magnet = `magnet:?xt=urn:btih:${hash}&dn=Film&tr=udp%3A%2F%2Ftracker.example%3A80`;
const torrent = { url: magnet, mime_type: "application/x-bittorrent" };
const file = "https://x.example/1.torrent";

test.each<[string, string, Partial<FeedItem>]>([
  [
    "an episode of iTunes",
    rss("<itunes:season>2</itunes:season><itunes:episode>14</itunes:episode>"),
    { podcast: { season: 2, episode: 14 } },
  ],
  [
    "an episode of the podcast namespace, whatever its prefix",
    rss(
      '<p:season name="Spring">3</p:season><p:episode display="Ch. 4">4.5</p:episode>' +
        '<p:transcript url="/1.vtt" type="text/vtt" language="es"/><p:transcript url="/1.srt" type="application/x-subrip"/>' +
        '<p:transcript url="javascript:alert(1)"/><p:chapters url="/1.json" type="application/json+chapters"/>',
    ),
    {
      podcast: {
        season: 3,
        episode: 4.5,
        transcripts: [
          { url: "https://x.example/1.vtt", mime_type: "text/vtt", language: "es" },
          { url: "https://x.example/1.srt", mime_type: "application/x-subrip" },
        ],
        chapters: { url: "https://x.example/1.json", mime_type: "application/json+chapters" },
      },
    },
  ],
  ["comments of RSS", rss("<comments>/1#c</comments>"), { comments: "https://x.example/1#c" }],
  [
    "replies of Atom",
    atom(
      '<link rel="replies" type="application/atom+xml" href="/a"/><link rel="replies" type="text/html" href="/b"/>',
    ),
    { comments: "https://x.example/b" },
  ],
  [
    "a source of RSS",
    rss('<source url="https://paper.example">The &amp;amp; Paper</source>'),
    { source: { title: "The & Paper", url: "https://paper.example/" } },
  ],
  [
    "a source of Atom",
    atom(
      '<source><title>Paper</title><link rel="self" href="/self"/><link href="https://paper.example/"/></source>',
    ),
    { source: { title: "Paper", url: "https://paper.example/" } },
  ],
  [
    "a DOI of PRISM",
    rss("<prism:doi>10.1038/s41586-020-2649-2</prism:doi>"),
    { doi: "10.1038/s41586-020-2649-2" },
  ],
  [
    "a DOI of Dublin Core among other identifiers",
    rss("<dc:identifier>pmid:1</dc:identifier><dc:identifier>doi:10.1000/182</dc:identifier>"),
    { doi: "10.1000/182" },
  ],
  [
    "a DOI as an address",
    rss("<prism:url>http://dx.doi.org/10.1000/182</prism:url>"),
    { doi: "10.1000/182" },
  ],
  ["a DOI of arXiv", rss("<arxiv:DOI>10.1000/182</arxiv:DOI>"), { doi: "10.1000/182" }],
  ["a torrent as the link", rss(`<link>${magnet}</link>`), { attachments: [torrent] }],
  [
    "a torrent as an enclosure, beside a file",
    rss(`<enclosure url="${magnet}" type="application/x-bittorrent" length="9"/><enclosure url="${file}"/>`),
    {
      attachments: [
        { ...torrent, size_in_bytes: 9 },
        { url: file, mime_type: "application/x-bittorrent" },
      ],
    },
  ],
  [
    "a torrent by its own element",
    rss(`<torrent:magnetURI><![CDATA[${magnet}]]></torrent:magnetURI>`),
    { attachments: [torrent] },
  ],
  ["a torrent of JSON Feed", json({ url: magnet, attachments: [torrent] }), { attachments: [torrent] }],
  [
    "escaped markup that TypePad wraps",
    atom(
      '<content type="html"><div xmlns="http://www.w3.org/1999/xhtml">A &lt;b&gt;bold&lt;/b&gt; word</div></content>',
    ),
    { content_html: "A <b>bold</b> word" },
  ],
  [
    "what XHTML says of markup",
    atom('<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">The &lt;b&gt; tag</div></content>'),
    { content_html: "The &lt;b&gt; tag" },
  ],
  [
    "the authors of arXiv on one line",
    rss("<guid>oai:arXiv.org:2506.00001v1</guid><dc:creator>Ada Byron, Mary Somerville</dc:creator>"),
    { authors: [{ name: "Ada Byron" }, { name: "Mary Somerville" }] },
  ],
  [
    "an author with a comma elsewhere",
    rss("<guid>1</guid><dc:creator>Byron, Ada</dc:creator>"),
    { authors: [{ name: "Byron, Ada" }] },
  ],
  ["tags in one element", rss("<category>a</category><tags>b, c</tags>"), { tags: ["a", "b", "c"] }],
  [
    "a date that is written twice",
    rss("<pubDate>Tue, 03 Jun 2025 10:00:00 GMT</pubDate><pubDate>Wed, 04 Jun 2025 10:00:00 GMT</pubDate>"),
    { date_published: "2025-06-04T10:00:00.000Z" },
  ],
  [
    "an escaped title of JSON Feed, and its author",
    json({ title: "It&#8217;s\n here &amp; <b>now</b>", authors: [{ name: "Zo&euml;" }] }),
    { title: "It’s here & <b>now</b>", authors: [{ name: "Zoë" }] },
  ],
])("%s", (_, text, item) => {
  const parsed = parseFeed(text, "https://x.example/feed");
  expect(parsed.ok && parsed.feed.items[0]).toMatchObject(item);
});

test("what is no number, DOI or address is left out", () => {
  const text = rss(
    "<itunes:episode>bonus</itunes:episode><comments>javascript:alert(1)</comments><prism:doi>11.5/x</prism:doi>",
  );
  const parsed = parseFeed(text, "https://x.example/feed");
  expect(parsed.ok && Object.keys(parsed.feed.items[0] ?? {})).toEqual(["id", "title"]);
});
