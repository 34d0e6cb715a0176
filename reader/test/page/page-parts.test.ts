import { extractPage } from "../../page/extract-page.ts";
import { TooMuchWork } from "../../recipe/parse-page.ts";

const url = "https://site.example/dir/";

function partsOf(html: string, include: string[], exclude: string[] = []) {
  const formats = ["markdown", "links", "images"] as const;
  return extractPage({ html, url }, { formats, onlyMainContent: true, parts: { include, exclude } });
}

const markdown = (html: string, include: string[], exclude: string[] = []) =>
  partsOf(html, include, exclude).markdown?.trim();

test.each<[string, string, string[], string[], string]>([
  ["a part by its class", "<p>a</p><p class=b>b</p>", [".b"], [], "b"],
  ["parts in the order of the page", "<p id=a>a</p><p id=b>b</p>", ["#b", "#a"], [], "a\n\nb"],
  ["a part in a part, once", "<div><p>a <b>b</b></p></div>", ["div", "b"], [], "a **b**"],
  ["an item stays in its list", "<ol><li>a<li class=b>b</ol>", [".b"], [], "1. b"],
  ["words of two parts stay apart", "<p><i>a</i>x<i>b</i></p>", ["i"], [], "*a* *b*"],
  ["the text around a part goes", "<p>around <b>a</b> it</p>", ["b"], [], "**a**"],
  ["what is hidden stays so", "<p hidden>a</p><p>b</p>", ["p"], [], "b"],
  ["a frame that is asked for", "<nav><p>a</p></nav><main><p>b</p></main>", ["nav"], [], "a"],
  ["all but a part", "<main><p>a</p><p class=b>b</p></main>", ["main"], [".b"], "a"],
  ["excluded words leave no gap", "<main><p>a<sup>1</sup>, b</p></main>", ["main"], ["sup"], "a, b"],
  ["an excluded block parts words", "<main>a<div>x</div>b</main>", ["main"], ["div"], "a b"],
  ["an excluded part of it is gone", "<p class=a>a</p>", [".a"], ["p"], ""],
  ["everything, excluded", "<body><p>a</p></body>", [], ["body"], ""],
])("%s", (_, html, include, exclude, expected) => {
  expect(markdown(html, include, exclude)).toBe(expected);
});

const table = (...rows: string[]) => `<table>${rows.map(row => `<tr>${row}</tr>`).join("")}</table>`;

test.each([
  ["a cell leaves its place", ["td.x"], "| A | B | C |\n| --- | --- | --- |\n| 1 |  | 3 |\n| 4 | 5 | 6 |"],
  ["a column goes", ["tr > :nth-child(2)"], "| A | C |\n| --- | --- |\n| 1 | 3 |\n| 4 | 6 |"],
  ["a row goes", ["tr:nth-child(2) td"], "| A | B | C |\n| --- | --- | --- |\n| 4 | 5 | 6 |"],
])("of a table, %s that is excluded", (_, exclude, expected) => {
  const rows = ["<th>A<th>B<th>C", "<td>1<td class=x>2<td>3", "<td>4<td>5<td>6"];
  expect(markdown(table(...rows), ["table"], exclude)).toBe(expected);
});

test("metadata and the hints for crawls are those of the whole page", () => {
  const html = "<title>T</title><h1>H</h1><p class=a>a</p><a href=/next>next</a>";
  const options = {
    formats: [],
    onlyMainContent: true,
    crawl: true,
    parts: { include: [".a"], exclude: [] },
  };
  const { title, word_count, crawl, links } = extractPage({ html, url }, options);
  expect([title, word_count, links]).toEqual(["T", 1, undefined]);
  expect(crawl?.links.map(link => link.url)).toEqual(["https://site.example/next"]);
});

test("says when nothing matches", () => {
  expect(partsOf("<p>a</p>", ["b"])).toMatchObject({
    isEmptied: true,
    markdown: "",
    links: [],
    word_count: 0,
  });
  expect(partsOf("<p>a</p>", ["p"]).isEmptied).toBeUndefined();
  expect(partsOf("<p>a</p>", ["html"]).isEmptied).toBeUndefined();
});

test("work is bounded: by the page and the selectors together", () => {
  const html = `<main>${"<p>x</p>".repeat(5000)}</main>`;
  const hostile = Array.from({ length: 50 }, (_, n) => `p:not(p:nth-last-child(${n}n+2) ~ p ~ p)`);
  expect(() => partsOf(html, hostile)).toThrow(TooMuchWork);
  expect(partsOf(html, ["p:first-child"]).markdown?.trim()).toBe("x");
});

test.each<[string, string, string[]]>([
  ["an image", "<img src=a.png>", ["a.png"]],
  ["each once", "<img src=a.png><img src=./a.png>", ["a.png"]],
  [
    "the best of a set, beside what is shown",
    "<img src=a.png srcset='b.png 1x, c.png 2x'>",
    ["a.png", "c.png"],
  ],
  ["one that a script would load", "<img src=blank.gif data-src=a.png>", ["a.png"]],
  ["a picture", "<picture><source srcset='a.webp 2x, b.webp'><img src=c.png></picture>", ["a.webp", "c.png"]],
  ["a source of sound is none", "<audio><source src=a.mp3></audio>", []],
  ["the poster of a film", "<video poster=a.png></video>", ["a.png"]],
  ["the image of the page", "<meta property=og:image content=a.png><img src=b.png>", ["a.png", "b.png"]],
  ["no data, no counter, no other scheme", "<img src=data:a><img src=a width=1><img src=ftp://a/b>", []],
  ["those of a noscript", "<noscript><img src=a.png></noscript>", ["a.png"]],
])("images: %s", (_, html, expected) => {
  const { images } = extractPage({ html, url }, { formats: ["images"], onlyMainContent: true });
  expect(images).toEqual(expected.map(path => url + path));
});
