import { readdirSync, readFileSync } from "node:fs";
import { parseHtml } from "../../../../../reader/html/parse-html.ts";
import { isText, walk } from "../../../../../reader/html/tree.ts";
import { extractPage } from "../../../../../reader/page/extract-page.ts";
import { fixturePages } from "../../../../../reader/test/fixtures/extract/pages.ts";
import { eventPages } from "../../../../../reader/test/fixtures/fields/events.ts";
import { jobPages } from "../../../../../reader/test/fixtures/fields/jobs.ts";
import { Chance } from "../../../../../reader/test/fixtures/fields/page.ts";
import { recipePages } from "../../../../../reader/test/fixtures/fields/recipes.ts";
import { listPages } from "../../../../../reader/test/recipe/list-pages.ts";
import { reducePage } from "../../../../../services/domain/watch/eye/reduce-page.ts";
import { takeSnapshot } from "../../../../../services/domain/watch/snapshot.ts";
import { changes } from "../../../../fixtures/watching/changes.ts";
import { boxes, landmarks, layoutTable, prose } from "../../../../fixtures/watching/frames.ts";
import { reduced, url } from "./watch-versions.ts";

const share = 0.3;
const other =
  "lorem ipsum dolor amet elitr nonumy eirmod tempor labore magna aliquyam erat voluptua justo duo rebum".split(
    " ",
  );

const oneSpaced = (text: string) => text.replace(/\s+/g, " ").trim();

/** The page with other words in 30 % of the texts that are not in its main content. */
function reworded(html: string, seed: string): string {
  const chance = new Chance(seed);
  const { text: read = "" } = extractPage({ html, url }, { formats: [], onlyMainContent: true, text: true });
  // To a watch, the heading of the page is a part of its content.
  const heading = /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1]?.replace(/<[^>]*>/g, "") ?? "";
  const content = oneSpaced(`${heading}\n${read}`);
  const tree = parseHtml(html, { withDrawings: true });
  walk(tree, node => {
    if (!isText(node) || node.parentNode.name === "title") return true;
    const text = oneSpaced(node.text);
    if (!/\p{L}{2}/u.test(text) || content.includes(text) || chance.next() >= share) return true;
    node.text = ` ${text
      .split(" ")
      .map(() => chance.pick(other))
      .join(" ")} `;
    return true;
  });
  return reducePage(tree);
}

/** Whether a watch of the main content sees a change where only other texts have other words. */
function isMoved({ name, html }: { name: string; html: string }): boolean {
  const view = { content: "main" } as const;
  const before = takeSnapshot({ html: reduced(html), url, title: "" }, view);
  if (!before.ok) return false;
  const after = takeSnapshot({ html: reworded(html, name), url, title: "" }, view, before);
  return !after.ok || after.hash !== before.hash;
}

const articles = [landmarks, boxes, layoutTable].flatMap(frame =>
  Array.from({ length: 20 }, (_, n) => ({
    name: `${frame.name} ${n}`,
    html: frame({
      alert: n % 3 === 0 ? "<div class='notice'>The bridge is closed until Friday evening</div>" : "",
      main: `<article><h1>The mill ${n}</h1><p class="byline">By Ann Lind, 3 May 2026</p>${prose(2 + (n % 5))}<div class="share">Share this <a href="/s">with others</a></div></article>${n % 2 ? "<section class='comments'><h2>Comments</h2><p>A lovely evening, and the soup was warm.</p></section>" : ""}`,
      aside: `<h2>More of the town</h2><ul>${["A baker", "Snow on the pass", "The choir"].map(title => `<li><a href="/${title}">${title}</a></li>`).join("")}</ul>`,
      footer: "<p>Open from Monday to Friday, nine to five</p>",
    }),
  })),
);

const folder = new URL("../../../../../reader/test/fixtures/recipe/", import.meta.url);
const mixed = [
  ...fixturePages.map(({ name, html }) => ({ name, html })),
  ...readdirSync(folder).map(name => ({ name, html: readFileSync(new URL(name, folder), "utf8") })),
  ...listPages.map(({ html }, at) => ({ name: `list ${at}`, html })),
  ...[...eventPages, ...jobPages, ...recipePages].map(({ template, html }, at) => ({
    name: `${template} ${at}`,
    html,
  })),
  ...changes.map(({ name, before }) => ({ name, html: before })),
];

test("other words around 60 articles are no change of their main content", () => {
  expect(articles.filter(isMoved).map(({ name }) => name)).toEqual([]);
});

test("other words beside the main content of mixed pages are a change on at most 2 % of them", () => {
  const moved = mixed.filter(isMoved).map(({ name }) => name);
  expect({ moved, isWithin: moved.length <= 0.02 * mixed.length }).toEqual({
    moved: expect.any(Array),
    isWithin: true,
  });
});
