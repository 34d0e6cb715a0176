import { checkSelector, checkView } from "../../../services/domain/watch/check-view.ts";
import { checkCss } from "../../recipe/check-selector.ts";
import { checkRecipe } from "../../recipe/recipe.ts";
import { RequestBudget } from "../../text/request-budget.ts";

const tooLarge = "The selectors and expressions of this request are too large together.";
const nested = (open: string, levels: number) => `${open.repeat(levels)}a${")".repeat(levels)}`;

test.each([
  "main",
  "#content > article:first-of-type",
  ".product-card:not(.sold, .hidden) > .price",
  "nav, footer, aside, .ads, [class*='cookie'], [id^=\"banner\"], iframe[src*='(ads)']",
  "table.data tr:nth-child(2n+1) td:last-child",
  "section:has(> h2:is(.news, .events)) ul li a[href^='https://']",
  ":is(h1, h2, h3):not(:is(.hidden, :has(img)))",
  ":scope > li",
  ".sm\\:w-1\\/2 .\\(odd\\)",
  'a[title="(((((((((("]',
])("%s is taken", selector => expect(checkCss(selector, new RequestBudget())).toBeNull());

test.each([":not(", ":is(", ":has(", ":is(a,", ":not(.a:is("])("%s nests at most eight levels", open => {
  const budget = new RequestBudget(0);
  const levels = open === ":not(.a:is(" ? 5 : 9;
  const selector = open === ":not(.a:is(" ? `${open.repeat(5)}a${")".repeat(10)}` : nested(open, levels);
  expect(checkCss(selector, budget)).toBe(
    "A selector nests at most 8 levels deep, such as `:not(` in `:is(`.",
  );
});

test("the selectors of a request have one budget, whatever field they are in", () => {
  const long = `${".abc ".repeat(199)}a`;
  const xpath = `//${"a/".repeat(498)}a`;
  const view = { select: Array.from({ length: 20 }, () => long), remove: [long] };
  expect(checkView(view)).toMatchObject({ field: "options.select.19", message: tooLarge });
  expect(checkView({ select: [long], remove: Array.from({ length: 50 }, () => xpath) })).toMatchObject({
    field: "options.remove.9",
    message: tooLarge,
  });
});

test("commas and unions cost more than their characters", () => {
  const budget = () => new RequestBudget(500);
  expect(checkSelector(`${"a,".repeat(400)}a`, budget())).toBe(tooLarge);
  expect(checkSelector(`${"//a|".repeat(200)}//a`, budget())).toBe(tooLarge);
  expect(checkSelector("a ".repeat(400), budget())).not.toBe(tooLarge);
});

test("a recipe of two hundred fields with long selectors is refused before most of them are compiled", () => {
  const field = { selector: nested(":not(", 8).repeat(10), except: `${".abc ".repeat(90)}a` };
  const names = Array.from({ length: 200 }, (_, at) => [`f${at}`, field]);
  const budget = new RequestBudget();
  const refusal = checkRecipe({ version: 1, fields: Object.fromEntries(names) }, "recipe", budget);
  expect(refusal).toMatchObject({ code: "selector", message: tooLarge });
  expect(refusal?.field).toMatch(/^recipe\.fields\.f[12]\d\./);
});

test("a recipe of two hundred plain fields is taken", () => {
  const names = Array.from({ length: 200 }, (_, at) => [`f${at}`, { selector: `.card-${at} > .value` }]);
  expect(checkRecipe({ version: 1, fields: Object.fromEntries(names) })).toBeNull();
});
