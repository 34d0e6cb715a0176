import { extractPage } from "../../page/extract-page.ts";
import { type CrawlHints, forbidsFollowing, forbidsIndexing, type PageLink } from "../../page/page-links.ts";

const url = "https://site.example/dir/page?q=1#top";

function hints(html: string, at = url): CrawlHints {
  const content = extractPage(
    { html, url: at },
    { formats: ["markdown"], onlyMainContent: true, crawl: true },
  );
  if (!content.crawl) throw new Error("there are no hints");
  return content.crawl;
}

const link = (address: string, marks: Partial<PageLink> = {}): PageLink => ({
  url: address,
  nofollow: false,
  next: false,
  ...marks,
});

test("are there only when they are asked for", () => {
  const content = extractPage({ html: "<a href=/b>", url }, { formats: ["links"], onlyMainContent: true });
  expect(content.crawl).toBeUndefined();
});

describe("links", () => {
  const a = "https://site.example/a";
  test.each<[string, string, PageLink[]]>([
    [
      "stand anywhere on the page, in order",
      "<nav><a href=/nav>n</a></nav><main><p>text</p><a href=in>i</a></main><footer><map><area href='?p=2'></map></footer>",
      [
        link("https://site.example/nav"),
        link("https://site.example/dir/in"),
        link("https://site.example/dir/page?p=2"),
      ],
    ],
    ["lose their fragment", "<a href='/a#x'>1</a><a href=/a>2</a><a href='/a#y'>3</a>", [link(a)]],
    ["may lead to the page itself", "<a href='#x'>1</a>", [link("https://site.example/dir/page?q=1")]],
    [
      "are of the web",
      "<a href=mailto:a@b.example>1</a><a href=javascript:x>2</a><a href=tel:1>3</a><a href=ftp://a/>4</a>",
      [],
    ],
    ["are URLs", "<a href='http://'>1</a><a href='https://[x'>2</a><a>3</a><a name=x>4</a>", []],
    [
      "begin where the base says",
      "<base href=/other/><a href=b>1</a>",
      [link("https://site.example/other/b")],
    ],
    [
      "begin where a base elsewhere says",
      "<base href=https://b.example/><a href=b>1</a>",
      [link("https://b.example/b")],
    ],
    ["with blanks around", "<a href=' \n/a\t'>1</a>", [link(a)]],
    ["with nofollow", "<a rel='external NoFollow' href=/a>1</a>", [link(a, { nofollow: true })]],
    ["with ugc", "<a rel=ugc href=/a>1</a>", [link(a, { nofollow: true })]],
    ["with sponsored", "<a rel=sponsored href=/a>1</a>", [link(a, { nofollow: true })]],
    ["with another rel", "<a rel='noopener noreferrer' href=/a>1</a>", [link(a)]],
    ["once with and once without nofollow", "<a rel=nofollow href=/a>1</a><a href=/a>2</a>", [link(a)]],
    [
      "twice with nofollow",
      "<a rel=nofollow href=/a>1</a><a rel=ugc href=/a>2</a>",
      [link(a, { nofollow: true })],
    ],
    ["to the next page", "<a rel=Next href=/a>1</a>", [link(a, { next: true })]],
    [
      "to the next page, in the head",
      "<head><link rel=next href=/a><link rel=stylesheet href=/s.css></head>",
      [link(a, { next: true })],
    ],
    ["to the next page, found twice", "<link rel=next href=/a><a href=/a>2</a>", [link(a, { next: true })]],
    ["entities are undone", "<a href='/a?x=1&amp;y=2'>1</a>", [link("https://site.example/a?x=1&y=2")]],
    [
      "not in comments, scripts and templates",
      "<!-- <a href=/a> --><script>'<a href=/a>'</script><template><a href=/a></template>",
      [],
    ],
  ])("%s", (_name, html, wanted) => {
    expect(hints(html).links).toEqual(wanted);
  });

  test.each([
    ["text", "<a href=/a>\n Some <b>bold</b>\ttext </a>", "Some bold text"],
    ["blocks", "<a href=/a><h2>Title</h2><p>Below</p></a>", "Title Below"],
    ["a picture", "<a href=/a><img src=x alt='A picture'></a>", "A picture"],
    ["a label", "<a href=/a aria-label='A label' title='A title'></a>", "A label"],
    ["a title", "<a href=/a title='A title'></a>", "A title"],
    ["a map's area", "<map><area href=/a title='An area'></map>", "An area"],
    ["the first that has words", "<a href=/a></a><a href=/a>Words</a><a href=/a>Others</a>", "Words"],
    ["200 characters", `<a href=/a>${"x".repeat(300)}</a>`, "x".repeat(200)],
    ["nothing", "<a href=/a><span> </span></a>", undefined],
  ])("say, when that is asked for: %s", (_name, html, wanted) => {
    const options = { formats: [], onlyMainContent: true, crawl: true, linkTexts: true };
    const { crawl } = extractPage({ html, url }, options);
    expect(crawl?.links).toEqual([wanted === undefined ? link(a) : link(a, { text: wanted })]);
  });

  test("are 10,000 at the most", () => {
    const html = Array.from({ length: 10_500 }, (_, n) => `<a href=/${n}>${n}</a>`).join("");
    const { links } = hints(html);
    expect(links).toHaveLength(10_000);
    expect(links.at(-1)?.url).toBe("https://site.example/9999");
  });
});

test.each([
  ["<meta name=robots content=nofollow>", true],
  ["<meta name=ROBOTS content='NOINDEX, NOFOLLOW'>", true],
  ["<meta name=robots content=none>", true],
  ["<meta name=robots content=noindex><meta name=robots content=nofollow>", true],
  ["<body><meta name=robots content=nofollow>", true],
  ["<meta name=robots content=noindex>", false],
  ["<meta name=robots>", false],
  ["<meta name=googlebot content=nofollow>", false],
  ["<meta property=robots content=nofollow>", false],
])("%s: nofollow is %p", (html, wanted) => {
  expect(hints(html).nofollow).toBe(wanted);
});

test.each([
  ["nofollow", true],
  ["NOINDEX, NoFollow", true],
  ["noindex nofollow", true],
  ["none", true],
  [" none ", true],
  ["", false],
  ["index, follow", false],
  ["all", false],
  ["nofollowers", false],
  ["noindex", false],
  ["*: nofollow", true],
  ["googlebot: nofollow", false],
  ["googlebot: noindex, nofollow", false],
  ["googlebot: noindex, *: nofollow", true],
  ["nofollow, googlebot: noindex", true],
  ["max-snippet: 20, nofollow", true],
  ["max-image-preview:none", false],
  ["unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT, nofollow", true],
  ["unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT", false],
])("%p: %p", (directives, wanted) => {
  expect(forbidsFollowing(directives)).toBe(wanted);
});

test.each([
  ["<meta name=robots content=noindex>", true],
  ["<meta name=robots content=none>", true],
  ["<meta name=robots content='nofollow, noindexing'>", false],
  ["<meta name=googlebot content=noindex>", false],
])("%s: noindex is %p", (html, wanted) => {
  expect(hints(html).noindex).toBe(wanted);
});

test.each([
  ["nofollow, noindex", true],
  ["googlebot: noindex", false],
  ["nofollow", false],
])("%p forbids to show the page: %p", (directives, wanted) => {
  expect(forbidsIndexing(directives)).toBe(wanted);
});

test("takes a long text in its stride", () => {
  expect(forbidsFollowing(`${"a ".repeat(100_000)}${" ".repeat(100_000)}, nofollow`)).toBe(true);
});
