import { changeToJudge } from "../../../../services/domain/goal/change-to-judge.ts";

const page = { url: "https://docs.test/a", title: "A" };
const change = {
  title: "Shop",
  url: "https://shop.test/",
  added: ["Now $5"],
  removed: ["Now $7"],
  diff: "…",
  moved: ["Alpha: moved from 3rd to 1st"],
  fields: { price: { from: 7, to: 5 }, stock: { from: null, to: "yes" } },
  value: { from: 7, to: 5 },
};
const said = ["price: 7 → 5", 'stock: null → "yes"', "number: 7 → 5", "Alpha: moved from 3rd to 1st"].join(
  "\n",
);
const lines = { added: ["Now $5"], removed: ["Now $7"] };

test.each([
  ["web.page.changed", { change }, { title: "Shop", url: "https://shop.test/", ...lines, text: said }],
  ["site.page.changed", { page, change }, { ...page, ...lines, text: said }],
  ["site.page.added", { page }, { ...page, text: "What the new page says" }],
  [
    "rss.item.created",
    {
      item: {
        title: "News",
        url: "https://n.test/1",
        summary: "In short",
        content_html: "<p>In <b>full</b>",
      },
    },
    { title: "News", url: "https://n.test/1", text: "In short\nIn full" },
  ],
  [
    "rss.item.updated",
    { item: { external_url: "https://n.test/2", content_text: "Text" } },
    { title: "", url: "https://n.test/2", text: "Text" },
  ],
  [
    "web.item.created",
    { item: { id: "1", title: "Entry", url: "https://l.test/1", content_text: "Text" } },
    { title: "Entry", url: "https://l.test/1", text: "Text" },
  ],
  [
    "search.result.found",
    { result: { title: "Hit", url: "https://h.test/", description: "About it", date: "2026-11-27" } },
    { title: "Hit", url: "https://h.test/", text: "About it\n2026-11-27" },
  ],
])("%s", (type, data, expected) => {
  expect(changeToJudge({ type, data }, "What the new page says")).toEqual({
    ...{ kind: type, added: [], removed: [], isCut: false },
    ...expected,
  });
});

test.each(["site.page.removed", "site.page.moved", "site.changed", "site.checked", "source.gap"])(
  "%s is not judged",
  type => {
    expect(changeToJudge({ type, data: { page, change } })).toBeNull();
  },
);

test("long texts are cut, and that is said", () => {
  const long = { title: "t".repeat(5000), url: "", added: Array(300).fill("a".repeat(100)), removed: [] };
  const cut = changeToJudge({ type: "web.page.changed", data: { change: long } });
  expect(cut?.isCut).toBe(true);
  expect(JSON.stringify(cut).length).toBeLessThan(6000);
  expect(cut?.added[0]).toBe("a".repeat(100));
});

test("a cut divides no character", () => {
  const change = { title: `${"t".repeat(299)}😀`, added: [], removed: [] };
  const cut = changeToJudge({ type: "web.page.changed", data: { change } });
  expect(cut?.title.isWellFormed()).toBe(true);
});
