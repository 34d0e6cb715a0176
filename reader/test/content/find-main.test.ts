import { statSync } from "node:fs";
import { join } from "node:path";
import { extractText } from "../../page/extract-page.ts";

const url = "https://site.example/news/the-lock";
const menu = ["Home", "News", "Sport", "Weather", "Contact"]
  .map(name => `<li><a href="/${name}">${name}</a></li>`)
  .join("");

/** A page whose article is in an element with these names. */
function pageWith(attributes: string, paragraphs: readonly string[]): string {
  return `<html><head><title>The lock</title></head><body><div class="top"><ul class="menu">${menu}</ul></div>
    <div ${attributes}><h1>The lock</h1>${paragraphs.map(text => `<p>${text}</p>`).join("")}</div>
    <div class="footer"><ul>${menu}</ul><p>© 2026 Harbour News. All rights reserved.</p></div></body></html>`;
}

const english = [
  "The old lock at the harbour was closed in March, when a survey found cracks in both of its gates.",
  "Carpenters from three towns built new ones of oak, which is heavy enough to keep the water out.",
  "“We had to wait for the tide twice,” said the master of the yard, who led the work for nine weeks.",
  "The gates were hung on a Sunday, before a crowd that had come by boat, by train and on foot.",
  "On Monday the first barge went through, with gravel for the road that leads to the upper mill.",
  "The town paid a third of the costs; the rest came from a fund that the skippers had set up in 1974.",
  "Until autumn, boats of more than twenty metres are let through in the morning and the evening only.",
  "Engineers will look at the hinges again in a year, and then every five years, as the law demands.",
];

test.each([
  'class="sidebar"',
  'class="page-content and-w-sidebar"',
  'class="modal"',
  'class="elementor-overlay overlay"',
  'class="comments"',
  'class="newsletter-promo"',
  'class="menu"',
  'class="related-posts"',
  'id="footer-wrap"',
  'id="sharing-with-a-single-developer"',
  'class="Maw(100%)--modal-Min-Width"',
  'class="adn ads"',
])("an article in an element with %s is content", attributes => {
  const text = extractText({ html: pageWith(attributes, english), url }, true);
  for (const sentence of english) expect(text).toContain(sentence);
  for (const name of ["Weather", "All rights reserved"]) expect(text).not.toContain(name);
});

test.each([
  [
    "Chinese",
    "港口的旧船闸在三月关闭，因为检查发现两扇闸门都有裂缝。三个镇的木匠用橡木造了新的闸门，这种木头很重，能挡住水。",
  ],
  [
    "Japanese",
    "港の古い水門は、両方の扉にひびが見つかったため、三月に閉じられた。三つの町の大工が、重い樫の木で新しい扉を作った。",
  ],
  [
    "Arabic",
    "أغلق الهويس القديم في الميناء في شهر مارس، عندما وجد المهندسون شقوقا في بوابتيه. وصنع نجارون من ثلاث مدن بوابات جديدة من البلوط.",
  ],
  [
    "Russian",
    "Старый шлюз в гавани закрыли в марте, когда осмотр показал трещины в обоих воротах. Плотники из трёх городов сделали новые из дуба.",
  ],
])("an article in %s is content, and its menu is not", (_, sentence) => {
  const paragraphs = Array.from({ length: 8 }, (_, at) => `${at + 1}. ${sentence}`);
  const text = extractText({ html: pageWith('class="content"', paragraphs), url }, true);
  for (const paragraph of paragraphs) expect(text).toContain(paragraph);
  expect(text).not.toContain("Weather");
});

test.each([
  ["hidden", "hidden"],
  ["invisible", 'style="visibility: hidden"'],
  ["not displayed", 'class="defer-block" style="display: none"'],
])("an article that waits %s for its script is content, beside a long menu", (_, attributes) => {
  const links = Array.from({ length: 300 }, (_, at) => `<li><a href="/${at}">Shelf number ${at}</a></li>`);
  const footer = `<div style="display: none"><footer><p>${english[0]} ${english[1]}</p></footer></div>`;
  const html = `<header><nav><ul>${links.join("")}</ul></nav></header>${footer}
    <div ${attributes}><div><h1>The lock</h1>${english.map(text => `<p>${text}</p>`).join("")}</div></div>`;
  const text = extractText({ html, url }, true);
  for (const sentence of english) expect(text).toContain(sentence);
  expect(text).not.toContain("Shelf number 7");
});

test("what is hidden beside an article is no content", () => {
  const notice = `<div style="display: none"><p>${english.join(" ").replaceAll("lock", "cookie")}</p></div>`;
  const text = extractText({ html: pageWith('class="content"', english) + notice, url }, true);
  expect(text).toContain(english[0]);
  expect(text).not.toContain("cookie");
});

test("of a small page, what is in its main part is content whatever it says", () => {
  const html = `<nav><a href="/">Home</a></nav><div class="cookie-banner">We use cookies.</div>
    <main><h1>Rates</h1><p>Share</p><p>© 2026</p></main><footer>Imprint</footer>`;
  expect(extractText({ html, url }, true)).toBe("Rates\nShare\n© 2026");
});

test("the model has at most 400 KB", () => {
  const path = join(import.meta.dirname, "../../content/model.bin");
  expect(statSync(path).size).toBeLessThan(400 * 1024);
});
