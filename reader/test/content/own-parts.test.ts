import { extractPage } from "../../page/extract-page.ts";
import { proseFrom } from "../fixtures/extract/prose.ts";

const heading = "How the mill at Linden works";
const { paragraph, sentence } = proseFrom(11);
const texts = Array.from({ length: 6 }, () => paragraph(8));
const [first, second, third] = texts.map(text => `<p>${text}</p>`) as [string, string, string];

function read(inner: string, { title = heading, head = "" } = {}): string {
  const html = `<title>${title}</title>${head}<body><main>${inner}</main></body>`;
  const url = "https://linden.example/the-mill";
  return extractPage({ html, url }, { formats: [], onlyMainContent: true, text: true }).text ?? "";
}

const chapters = (open: string, level: string, beside = "") => {
  const name = open.split(" ")[0]!;
  return [heading, "Configure it", "Run it"]
    .map((text, at) => {
      const more = at > 0 ? beside : "";
      return `<${open}><${level}>${text}</${level}>${more}<p>${texts[2 * at]}</p><p>${texts[2 * at + 1]}</p></${name}>`;
    })
    .join("");
};

test.each([
  ["sections with a heading of the first level", chapters("section", "h1")],
  ["blocks", chapters('div class="chapter"', "h1")],
  ["articles of a page that does not call itself one", chapters('article class="chapter"', "h2")],
])("%s are chapters of one text", (_, inner) => {
  for (const text of texts) expect(read(inner)).toContain(text);
});

test.each([
  ["a date of its own", chapters('div class="post"', "h2", "<time>2 May 2026</time>")],
  ["a writer of its own", chapters('div class="post"', "h2", '<p class="byline">By Anna Miller</p>')],
  [
    "a page of its own",
    chapters("section", "h1").replaceAll(/(Configure it|Run it)/g, '<a href="/other">$1</a>'),
  ],
])("a text beside the article with %s is another article", (_, inner) => {
  const text = read(inner);
  expect(text).toContain(texts[1]);
  expect(text).not.toContain(texts[3]);
  expect(text).not.toContain(texts[5]);
});

const ofShares = `Earnings per share: €2.30. ${sentence()}`;

test.each([
  [`<div class="share"><p>${ofShares}</p></div>`, ofShares],
  ['<p class="tags">Material: oak</p>', "Material: oak"],
])("a fact with the name of furniture is content: %s", (html, fact) => {
  expect(read(`<h1>${heading}</h1>${first}${html}${second}`)).toContain(fact);
});

test.each([
  ['<div class="share">Share this with <a href="https://social.example/x">friends and family</a></div>'],
  ['<p class="tags">Tags: mills, water</p>'],
  ['<div class="sharing">Spread the word</div>'],
])("links to share and tags are none: %s", html => {
  expect(read(`<h1>${heading}</h1>${first}${html}${second}`)).toBe(`${heading}\n${texts[0]}\n${texts[1]}`);
});

test("an official comment within a law is content, a reader's below it is not", () => {
  const official = sentence();
  const reader = sentence();
  const inner = `<h1>${heading}</h1>${first}${second}<div class="comment"><p>${official}</p></div>${third}<div class="comment"><p>${reader}</p></div>`;
  const text = read(inner);
  expect(text).toContain(official);
  expect(text).not.toContain(reader);
});

test.each([
  [
    '<div class="callout callout-info"><h5>Heads up</h5><p>Stop first.</p></div>',
    ["Heads up", "Stop first."],
  ],
  ['<aside class="warning"><p>Hot!</p></aside>', ["Hot!"]],
])("a note beside the text is content: %s", (html, notes) => {
  const text = read(`<article><h1>${heading}</h1>${first}${second}${html}${third}</article>`);
  for (const note of notes) expect(text).toContain(note);
});
