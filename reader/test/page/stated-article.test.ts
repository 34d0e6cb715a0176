import { extractPage } from "../../page/extract-page.ts";

const url = "https://site.test/blog/a-post";
const sentences = Array.from(
  { length: 12 },
  (_, at) => `Part ${at} tells of the ships that came to the old harbour with wood from the north.`,
);
const teaser = "The old harbour was built for ships that carried wood, and some of it is still there.";
const prompt = "Subscribe to read the rest of this story.";

function read(linked: object | string, body: string, onlyMainContent = true): string {
  const script = typeof linked === "string" ? linked : JSON.stringify(linked);
  const html = `<html><head><title>The old harbour</title><script type="application/ld+json">${script}</script></head><body><nav><a href="/">Home</a></nav><main><article><h1>The old harbour</h1>${body}</article></main><footer>Imprint</footer></body></html>`;
  return extractPage({ html, url }, { formats: ["markdown"], onlyMainContent }).markdown ?? "";
}

const article = (articleBody: string, more = {}) => ({ "@type": "NewsArticle", articleBody, ...more });
const whole = [teaser, ...sentences];

test.each([
  ["lines", whole.join("\n\n")],
  ["HTML", whole.map(text => `<p>${text}</p>`).join("")],
  ["HTML with line breaks", whole.map(text => text.replace("old", "<em>old</em>")).join("<br/><br/>")],
])("the article of JSON-LD is read where the page shows a teaser: %s", (_, body) => {
  expect(read(article(body), `<p>${teaser}</p><p>${prompt}</p>`)).toBe(
    ["# The old harbour", ...whole, prompt].join("\n\n"),
  );
});

test("a teaser that is cut off is not repeated, and a picture stays", () => {
  const body = `<p><img src="/oak.jpg" alt="Oak"></p><p>${teaser.slice(0, 60)}…</p>`;
  const written = read(article(whole.join("\n")), body);
  expect(written).toBe(["# The old harbour", "![Oak](https://site.test/oak.jpg)", ...whole].join("\n\n"));
});

test("a page without text of its own has its article, also as a whole", () => {
  const expected = ["# The old harbour", ...whole].join("\n\n");
  expect(read(article(whole.join("\n")), "")).toBe(expected);
  expect(read(article(whole.join("\n")), "", false)).toContain(sentences[11]);
});

test.each([
  ["that the page shows", article(whole.join("\n")), whole.map(text => `<p>${text}</p>`).join("")],
  [
    "that is not much longer",
    article(whole.slice(0, 9).join("\n")),
    whole
      .slice(0, 6)
      .map(text => `<p>${text}</p>`)
      .join(""),
  ],
  ["that is short", article(`${teaser} ${sentences[0]}`), `<p>${prompt}</p>`],
  [
    "of one of several pages",
    [article(whole.join("\n")), article(sentences.join("\n"), { url: "https://site.test/other" })],
    `<p>${prompt}</p>`,
  ],
  ["that is no text", { "@type": "NewsArticle", articleBody: { text: whole } }, `<p>${prompt}</p>`],
  ["of nothing but tags", article("<p></p>".repeat(1000)), `<p>${prompt}</p>`],
])("no article %s is added", (_, linked, body) => {
  expect(read(linked, body)).toBe(read({}, body));
});
