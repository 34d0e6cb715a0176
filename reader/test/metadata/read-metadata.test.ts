import { parseHtml } from "../../html/parse-html.ts";
import { authorName } from "../../metadata/read-author.ts";
import { noFacts, readMetadata } from "../../metadata/read-metadata.ts";
import { pageTime } from "../../metadata/read-times.ts";
import { urlResolver } from "../../page/page-links.ts";

const url = "https://site.test/blog/a-post";

function factsOf(html: string) {
  const root = parseHtml(html);
  return readMetadata(root, urlResolver(root, url), url);
}

const linked = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const meta = (name: string, content: string) => `<meta name="${name}" content="${content}">`;
const story = (byline: string) =>
  `<article><h1>The harbour</h1>${byline}<p>${"Ships came in. ".repeat(20)}</p></article>`;

test.each([
  ["<title>Home</title><h1>Home</h1>", "Home"],
  ["<title>Home</title><h1>The harbour</h1>", "The harbour"],
  ["<title>The harbour</title><h1>Home</h1>", "The harbour"],
  ["<title>Document</title><p>Text.</p>", ""],
  ["<title>undefined</title><h1>undefined</h1>", ""],
])(
  "a general name is a title where a reader sees it as the heading, and there is no other: %s",
  (html, title) => {
    expect(factsOf(html).title).toBe(title);
  },
);

test("a page that says nothing of itself has no facts", () => {
  expect(factsOf("<p>Text")).toEqual(noFacts);
});

test("a page that says all", () => {
  const html = `<html lang="en"><head><title> The harbour – Site </title><base href="/blog/">
    ${meta("keywords", "ships, Harbour, , ships,  tides")}${meta("robots", "index, follow")}${meta("robots", "max-snippet:-1")}
    <meta property="og:title" content="The harbour"><meta property="og:site_name" content="The Site">
    <meta property="og:image" content="pictures/harbour.jpg"><link rel="mask-icon" href="/mask.svg">
    <link rel="apple-touch-icon" href="/touch.png"><link rel="shortcut icon" href="data:,"><link rel="icon" href="icon.png">
    ${linked({
      "@graph": [
        { "@type": "WebSite", name: "Other" },
        {
          "@type": "NewsArticle",
          author: { "@id": "#ann" },
          datePublished: "2025-09-04T10:00:00+02:00",
          dateModified: "2025-09-05",
        },
        { "@id": "#ann", "@type": "Person", name: "Ann Lee" },
      ],
    })}
    </head>${story("")}`;
  expect(factsOf(html)).toMatchObject({
    title: "The harbour",
    page_title: "The harbour – Site",
    author: "Ann Lee",
    published_time: "2025-09-04T10:00:00+02:00",
    modified_time: "2025-09-05",
    keywords: ["ships", "Harbour", "tides"],
    site_name: "The Site",
    favicon: "https://site.test/blog/icon.png",
    image: "https://site.test/blog/pictures/harbour.jpg",
    robots: "index, follow, max-snippet:-1",
  });
});

const person = (name: string) => ({ "@type": "Person", name });

describe("the author", () => {
  test.each([
    ["JSON-LD", linked({ "@type": "BlogPosting", author: person("Ann Lee") }), "Ann Lee"],
    [
      "JSON-LD, several",
      linked([{ "@type": "Article", author: [person("Ann Lee"), "Bo Chu", person("Ann Lee")] }]),
      "Ann Lee, Bo Chu",
    ],
    [
      "JSON-LD with line ends in a text",
      '<script type="application/ld+json">{"@type":"Article","description":"a\nb","author":"Ann Lee"}</script>',
      "Ann Lee",
    ],
    [
      "JSON-LD with comments and commas at ends",
      '<script type="application/ld+json">/* SEO */ {"@type":"Article","author":{"name":"Ann Lee",},} // end\n</script>',
      "Ann Lee",
    ],
    [
      "JSON-LD with several values in a script",
      '<script type="application/ld+json"><![CDATA[{"@type":"WebSite"};{"@type":"Article","author":"Ann Lee"}]]></script>',
      "Ann Lee",
    ],
    [
      "the entity of this page",
      linked([
        { "@type": "Article", url: "https://site.test/other", author: "Bo Chu" },
        { "@type": "Article", mainEntityOfPage: { "@id": url }, author: "Ann Lee" },
      ]),
      "Ann Lee",
    ],
    [
      "not the author of a review of a product",
      linked({ "@type": "Product", review: { "@type": "Review", author: person("Bo Chu") } }),
      null,
    ],
    [
      "JSON-LD before meta",
      linked({ "@type": "Article", author: "Ann Lee" }) + meta("author", "Bo Chu"),
      "Ann Lee",
    ],
    [
      "a name before the site's",
      `<meta property="og:site_name" content="The Site">${meta("author", "the site")}<article><h1>a</h1><p class="byline">By Ann Lee</p></article>`,
      "Ann Lee",
    ],
    [
      "the site where nobody else is named",
      `<meta property="og:site_name" content="The Site">${meta("author", "The Site")}`,
      "The Site",
    ],
    ["meta", meta("author", "Ann Lee"), "Ann Lee"],
    [
      "meta with several",
      meta("citation_author", "Ann Lee") + meta("citation_author", "Bo Chu"),
      "Ann Lee, Bo Chu",
    ],
    ["no address", `<meta property="article:author" content="https://social.test/ann">`, null],
    [
      "meta of blogs for previews",
      meta("twitter:label1", "Written by") + meta("twitter:data1", "Ann Lee"),
      "Ann Lee",
    ],
    [
      "microdata",
      story(
        '<span itemprop="author" itemscope><a href="/u/1"><span itemprop="name">Ann Lee</span></a> Member, 12 posts</span>',
      ),
      "Ann Lee",
    ],
    [
      "rel=author",
      story('<a rel="author" href="/ann"></a><a rel="author" href="/ann">Ann Lee</a>'),
      "Ann Lee",
    ],
    ["a link to an author's page", story('<a href="/authors/ann-lee">Ann Lee</a>'), "Ann Lee"],
    ["a class", story('<div class="post-author">Written by: <b>Ann Lee</b> on 4 May 2024</div>'), "Ann Lee"],
    ["text", story("<div>By Ann Lee</div>"), "Ann Lee"],
    ["text in two elements", story("<div><p>Written by</p><p>Ann Lee</p></div>"), "Ann Lee"],
    ["another language", story("<p>Von <a href='/x'>Änne Öhl</a></p>"), "Änne Öhl"],
    [
      "not running text",
      story("<p>By using this site you agree.</p><p>By</p><p>signing up you agree</p>"),
      null,
    ],
    [
      "not of comments",
      story('</article><div class="comments"><span class="author">Bo Chu</span></div>'),
      null,
    ],
    [
      "not of related pages",
      story(
        '<aside><a rel="author">Bo Chu</a></aside><div class="related-posts"><a rel="author">Bo Chu</a></div>',
      ),
      null,
    ],
    ["not far below", story(`<p>${"Ships came in. ".repeat(300)}</p><p class="author">Bo Chu</p>`), null],
  ])("%s", (_, html, expected) => {
    expect(factsOf(html).author).toBe(expected);
  });

  test.each([
    ["By Ann Lee", "Ann Lee"],
    ["  Posted by Ann Lee on May 4, 2024", "Ann Lee"],
    ["By Ann LeePublished: Jan 29, 2025", "Ann Lee"],
    ["Ann Lee | Staff writer", "Ann Lee"],
    ["Ann Lee, MD, RD", "Ann Lee, MD, RD"],
    ["Byron Wild", "Byron Wild"],
    ["Ann O&#39;Hara", "Ann O'Hara"],
    ["作者：王小明", "王小明"],
    ["admin", undefined],
    ["https://site.test/ann", undefined],
    ["ann@site.test", undefined],
    ["4 May 2024", undefined],
    ["By", undefined],
    ["Ann walked home. Then she slept until the morning came.", undefined],
    ["x".repeat(1000), undefined],
  ])("a byline %j", (text, expected) => {
    expect(authorName(text)).toBe(expected);
  });
});

describe("the times", () => {
  test.each([
    ["a date", "2025-09-04", "2025-09-04"],
    ["with an offset", "2025-09-04T10:00:00+02:00", "2025-09-04T10:00:00+02:00"],
    ["with a short offset", "2025-09-04 10:00:00 -0530", "2025-09-04T10:00:00-05:30"],
    ["UTC with parts of seconds", "2025-09-04T10:00:30.123Z", "2025-09-04T10:00:30Z"],
    ["no offset is no point in time", "2025-09-04T10:00:00", "2025-09-04"],
    ["as in mail", "Thu, 04 Sep 2025 10:00:00 GMT", "2025-09-04T10:00:00Z"],
    ["seconds since 1970", "1756980000", "2025-09-04T10:00:00Z"],
    ["words", "September 4th, 2025", "2025-09-04"],
    ["words of another language", "4 septembre 2025", "2025-09-04"],
    ["year first", "2025 Sep 4", "2025-09-04"],
    ["no day of the calendar", "2025-02-30", undefined],
    ["no year of the web", "0001-01-01T00:00:00Z", undefined],
    ["no date", "yesterday", undefined],
    ["a long text", `4 May 2024 ${"x".repeat(200)}`, undefined],
  ])("%s", (_, text, expected) => {
    expect(pageTime(text, "en")).toBe(expected);
  });

  const [first, second] = ["2024-05-04", "2024-06-05"];
  test.each([
    [
      "meta",
      `<meta property="article:published_time" content="${first}"><meta property="article:modified_time" content="${second}">`,
      first,
      second,
    ],
    [
      "microdata",
      story(
        `<meta itemprop="datePublished" content="${first}"><time itemprop="dateModified" datetime="${second}">x</time>`,
      ),
      first,
      second,
    ],
    ["time", story(`<time datetime="${first}T10:00:00Z">May</time>`), `${first}T10:00:00Z`, null],
    [
      "time of a change",
      story(`<time class="updated" datetime="${second}">June</time><time datetime="${first}">May</time>`),
      first,
      second,
    ],
    ["a class", story('<span class="entry-date">May 4, 2024</span>'), first, null],
    ["text", story("<p>May 4, 2024</p><p>Updated</p><p>June 5, 2024</p>"), first, second],
    [
      "not a date in a sentence",
      story("<p>On May 4, 2024 the ships came in and stayed for a week.</p>"),
      null,
      null,
    ],
    ["not of comments", story('<div id="comments"><time datetime="2024-05-04">May</time></div>'), null, null],
  ])("%s", (_, html, published, modified) => {
    expect(factsOf(html)).toMatchObject({ published_time: published, modified_time: modified });
  });
});

test("the site's name comes from JSON-LD too, and the image from what is left", () => {
  const html = `${linked({ "@type": "Article", publisher: { name: "The Site" }, image: [{ url: "/a.png" }], keywords: "a; b" })}`;
  expect(factsOf(html)).toMatchObject({
    site_name: "The Site",
    image: "https://site.test/a.png",
    keywords: ["a", "b"],
  });
});

describe("hostile pages", () => {
  const deep = (open: string, close: string) => `${open.repeat(100_000)}1${close.repeat(100_000)}`;
  test.each([
    ["deep lists in JSON-LD", `<script type="application/ld+json">${deep("[", "]")}</script>`],
    ["deep objects in JSON-LD", `<script type="application/ld+json">${deep('{"@graph":', "}")}</script>`],
    [
      "many entities",
      linked(
        Array.from({ length: 50_000 }, (_, n) => ({
          "@type": "Article",
          "@id": `${n}`,
          author: { "@id": `${n + 1}` },
        })),
      ),
    ],
    ["many scripts", linked({ "@type": "Article" }).repeat(20_000)],
    ["an entity that is its own name", linked({ "@type": "Article", "@id": "a", author: { "@id": "a" } })],
    [
      "types that are no texts",
      linked({ "@type": [1, null, {}], author: [null, 1, [[]]], keywords: [[{}]], image: [{ url: {} }] }),
    ],
    ["many metas", Array.from({ length: 50_000 }, (_, n) => meta(`og:${n}`, "x")).join("")],
    ["one long keyword list", meta("keywords", "a,".repeat(500_000))],
    ["many bylines", `<h1>a</h1>${'<p class="author byline date" rel="author">x</p>'.repeat(50_000)}`],
    ["long texts of white space", `<h1>a</h1>${`<p>By ${"\u00a0".repeat(95)}1</p>`.repeat(5000)}`],
    [
      "inherited names",
      `<meta name="__proto__" content="x"><meta property="og:__proto__" content="x"><meta name="constructor" content="x">`,
    ],
  ])("%s", (_, html) => {
    const facts = factsOf(html);
    expect(facts.author ?? "").not.toMatch(/^By/);
    expect((facts.keywords ?? []).length).toBeLessThanOrEqual(50);
    expect(Object.getPrototypeOf(facts.og)).toBe(Object.prototype);
  });
});
