import { readFileSync } from "node:fs";
import { parseHtml } from "../../html/parse-html.ts";
import { findItems } from "../../recipe/find-items.ts";

const url = "https://acme.test/list/";

function found(name: string) {
  const html = readFileSync(new URL(`../fixtures/lists/${name}.html`, import.meta.url), "utf8");
  return findItems(parseHtml(html, { withDrawings: true }), url);
}

/** How many entries there are, and what the first one shows: title, link, date, and whether it has a picture. */
test.each<[string, number, string, string | undefined, string | undefined, boolean]>([
  [
    "news",
    9,
    "Harbour reopens after two years of work",
    "/news/2026/01-harbour?utm_source=home",
    "2026-03-19",
    true,
  ],
  ["jobs-table", 5, "Ship's cook", "/jobs/1000", "2026-02-12", false],
  ["shop-cards", 8, "Copper kettle", "/p/copper-kettle-1", undefined, true],
  [
    "forum",
    8,
    "How do you oil a windlass?",
    "/viewtopic.php?t=300&sid=4f3a9c7be21d4c0f9d3e5a7b8c6d1e2f",
    "2026-02-12",
    false,
  ],
  ["changelog", 5, "2.4.0 2026-02-20", "/list/#v2-4-0", "2026-02-20", false],
  ["press", 6, "Annual results for 2025", "/press/0.pdf", "2026-02-03", false],
  ["event-cards", 6, "Night of the lighthouses", "/events/night-of-the-lighthouses", "2026-05-07", true],
  ["notices", 4, "Sperre der Brücke am Kanal", undefined, "2026-03-14", false],
  ["aggregator", 8, "A small language for tides", "https://site0.example/a-story", undefined, false],
  ["releases", 5, "pack 2.4.0", "/acme/pack/releases/tag/v2.4.0", "2026-02-20", false],
  ["slots", 4, "Passport office", undefined, "2026-05-05", false],
  ["blog", 5, "Day one: out of the bay", "/2026/03/day-one/", "2026-03-10", true],
  ["flats", 5, "Helle Wohnung am Park", "/expose/70001", undefined, true],
  ["advisories", 4, "ACME-2026-003", "/advisories/ACME-2026-003", "2026-02-03", false],
  ["japanese", 4, "新しい船の運航を開始しました", "/news/0.html", "2026-02-10", false],
  ["videos", 7, "Launching a wooden boat", "/watch?v=a1b1c", undefined, true],
])("the list of %s is found by itself", (name, count, title, link, date, hasPicture) => {
  const { items = [] } = found(name) ?? {};
  const [first] = items;
  expect(items.length).toBe(count);
  expect([first?.title, first?.link, first?.date?.slice(0, 10), first?.picture !== undefined]).toEqual([
    title,
    link && new URL(link, url).href,
    date,
    hasPicture,
  ]);
});

test("the selector that is answered finds the same entries, and none is a part of the page's frame", () => {
  const { items = [] } = found("news") ?? {};
  expect(items.map(({ title }) => title)).not.toContain("Careers");
  expect(new Set(items.map(({ link }) => link)).size).toBe(items.length);
});

test("a page that lists nothing has no list", () => {
  const html =
    "<nav><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul></nav><main><h1>One</h1><p>A text.</p></main>";
  expect(findItems(parseHtml(html), url)).toBeUndefined();
});
