import { parseHtml } from "../../../../reader/html/parse-html.ts";
import { evaluateXPath } from "../../../../reader/page/xpath.ts";
import { RequestBudget } from "../../../../reader/text/request-budget.ts";
import {
  checkItemView,
  checkSelector as checkOneSelector,
  checkView,
} from "../../../../services/domain/watch/check-view.ts";
import { reduceText } from "../../../../services/domain/watch/eye/reduce-page.ts";
import { checkPattern, matcherOf, shownLine } from "../../../../services/domain/watch/patterns.ts";
import { type Snapshot, takeSnapshot } from "../../../../services/domain/watch/snapshot.ts";
import type { View } from "../../../../services/domain/watch/view.ts";

const checkSelector = (selector: string) => checkOneSelector(selector, new RequestBudget());

const html = `<!doctype html><html><head><title>Shop</title></head><body>
<div id="main" class="wide page"><h2>Boots</h2><ul><li class="item">One <a href="/1">more</a></li>
<li class="item sold">Two</li><li>Three</li></ul><p data-price="12.5">Price: 12.50</p></div>
<div id="side"><p>Aside</p></div></body></html>`;

const snapshot = (view: View, page = html): Snapshot =>
  takeSnapshot({ html: page, url: "https://x.example/", title: "" }, view);
const textOf = (view: View, page?: string) => {
  const seen = snapshot(view, page);
  return seen.ok ? seen.text : seen.reason;
};

test.each([
  ["#main h2", "//div[@id='main']/h2"],
  ["li.sold", "//li[contains(concat(' ', @class, ' '), ' sold ')]"],
  ["#side > p", "/html/body/div[2]/p"],
  ["li:nth-of-type(2)", "//ul/li[2]"],
  ["li:last-child", "(//li)[last()]"],
  ["[data-price]", "xpath://*[@data-price]"],
  ["li:has(a)", "//li[a]"],
  ["li:not(.item)", "//LI[not(@class)]"],
  [".item", "//li[normalize-space(.)='Two'] | //li[starts-with(., 'One')]"],
])("%s and %s select the same", (css, xpath) => {
  expect(checkSelector(css)).toBeNull();
  expect(checkSelector(xpath)).toBeNull();
  expect(textOf({ select: [xpath] })).toBe(textOf({ select: [css] }));
  expect(textOf({ remove: [xpath], select: ["body"] })).toBe(textOf({ remove: [css], select: ["body"] }));
});

test.each([
  ["//p/@data-price", ["12.5"]],
  ["//li[3]/text()", ["Three"]],
  ["count(//li)", ["3"]],
  ["string(//h2)", ["Boots"]],
  ["//li[4]/text()", []],
])("%s gives values", (xpath, values) => {
  expect(evaluateXPath(parseHtml(html), xpath)).toEqual({ elements: [], values });
});

test("values are lines of the text", () => expect(textOf({ select: ["//p/@data-price"] })).toBe("12.5"));

test.each([
  ["", "A selector has 1 to 1000 characters."],
  ["p:::x", '"p:::x" is not a CSS selector that can be used.'],
  ["//p[", /^This is not an XPath 1\.0 expression: .+\.$/],
  ["//p[lower-case(.)='x']", null],
  ["lower-case(//p)", '"lower-case(//p)" is not a CSS selector that can be used.'],
  ["/descendant::p[nothing-such()]", null],
  ["//p/preceding::*", "The axis `preceding` is not supported; use `preceding-sibling` or `ancestor`."],
  ["//p[.='preceding::x']", null],
  ["//p/preceding-sibling::p", null],
])("the selector %j: %s", (selector, reason) => {
  const said = checkSelector(selector);
  if (reason instanceof RegExp) expect(said).toMatch(reason);
  else expect(said).toBe(reason);
});

test("an expression that a page shows to be wrong is a problem with its reason", () =>
  expect(snapshot({ select: ["//p[nothing-such()]"] })).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/^The selectors of this watch cannot be used: .*nothing-such/),
  }));

const wide = `<body>${"<div><p>Word <b>bold</b></p></div>".repeat(3000)}</body>`;

test.each([
  "//*[count(//*[count(//*) > 1]) > 1]",
  "//*[.//*[.//*[.//* = //*]]]",
  "//b[../../following::b[../../following::b[. = //b]]]",
  "//*[string(/) = string(//body)]",
])("the work of %s has a bound", xpath => {
  expect(checkSelector(xpath)).toBeNull();
  expect(textOf({ select: [xpath] }, wide)).toBe("The selectors of this watch take too long on this page.");
});

test("a page of 5 MB is looked at within the bound", () => {
  const large = `<body>${`<p class="w">${"word ".repeat(200)}</p>`.repeat(5000)}<p id="end">The end</p></body>`;
  expect(large.length).toBeGreaterThan(5_000_000);
  expect(textOf({ select: ["#end"] }, large)).toBe("The end");
  expect(textOf({ select: ["//p[@id='end']"] }, large)).toBe("The end");
  expect(textOf({ select: [".w"], ignore: ["/(w+o?)+x/"] }, large)).toMatch(/^word word/);
});

test("patterns are RE2: they take linear time, and what RE2 cannot run is refused", () => {
  expect(matcherOf("/(a+)+$/")(`${"a".repeat(50_000)}b`)).toBe(false);
  expect(checkPattern("/(a)\\1/")).toMatch(/^This is not a regular expression that RE2 can run: .+\.$/);
  expect(checkPattern("/a(?=b)/")).toMatch(/RE2/);
  const classes = `/${"\\p{L}".repeat(25)}/`;
  expect(checkPattern(classes)).toBe("It has more than 20 classes of Unicode.");
  expect(checkPattern("/a/x")).toBe("The flag x is not one of i, m and s.");
  expect(checkPattern("/a{1000}{2}/")).not.toBeNull();
  expect(checkPattern(" ")).toBe("A pattern has 1 to 1000 characters.");
  expect(checkPattern("/half")).toBeNull();
});

test.each([
  ["in stock", "It is In  Stock now", true],
  ["/in stock/", "It is In Stock now", false],
  ["/in stock/i", "It is In Stock now", true],
  ["/^now$/m", "a\nnow", true],
  ["1/2", "1/2 price", true],
])("%s in %j: %s", (pattern, text, isFound) => expect(matcherOf(pattern)(text)).toBe(isFound));

test("a line is matched as a reader sees it, too", () =>
  expect(shownLine('- ## **Price\\:** [12 *EUR*](https://x.example/a "t") `now`')).toBe("Price: 12 EUR now"));

test.each<[View, string | undefined]>([
  [{}, undefined],
  [{ select: ["p", "//p"], remove: [".a"], ignore: ["x"], unique_lines: true }, undefined],
  [{ select: ["p", "//["] }, "options.select.1"],
  [{ remove: ["p", "]"] }, "options.remove.1"],
  [{ ignore: ["/(/"] }, "options.ignore.0"],
  [{ when: { contains: ["/(/"] } }, "options.when.contains.0"],
  [{ when: { added_only: true, removed_only: true } }, "options.when.removed_only"],
  [{ when: { value: {} } }, "options.when.value"],
  [{ when: { value: { below: 1, select: "" } } }, "options.when.value.select"],
  [{ when: { value: { changed_by_percent: 0 } } }, "options.when.value.changed_by_percent"],
  [{ unique_lines: true, when: { removed_only: true } }, "options.unique_lines"],
  [{ json: {} }, "options.json"],
  [{ json: { recipe: { version: 2 } } }, "options.json.recipe.version"],
  [{ json: { schema: { type: "array" } } }, "options.json.schema.type"],
  [{ json: { schema: {} }, select: ["p"] }, "options.json"],
])("%j is wrong at %s", (view, field) => expect(checkView(view)?.field).toBe(field));

test.each<[View, string | undefined]>([
  [{ ignore: ["x"], when: { contains: ["a"], added_only: true, value: { below: 3 } } }, undefined],
  [{ select: ["p"] }, "options.select"],
  [{ json: { schema: {} } }, "options.json"],
  [{ when: { value: { below: 3, select: "p" } } }, "options.when.value.select"],
  [{ when: { removed_only: true } }, "options.when.removed_only"],
])("for items %j is wrong at %s", (view, field) => expect(checkItemView(view)?.field).toBe(field));

test("a text of the title alone is an empty page, and one for a watch with options", () => {
  const [html, title] = [reduceText("# In stock: 12", "In stock: 12"), "In stock: 12"];
  const page = { html, url: "https://x.example/", title };
  const views: View[] = [{}, { when: { value: { below: 5 } } }, { unique_lines: true }];
  expect(views.map(view => takeSnapshot(page, view).ok)).toEqual([false, true, true]);
});
