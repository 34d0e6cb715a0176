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

test("a recipe of two hundred fields with long selectors is refused before most of them are compiled", () => {
  const field = { selector: nested(":not(", 8).repeat(10), except: `${".abc ".repeat(90)}a` };
  const names = Array.from({ length: 200 }, (_, at) => [`f${at}`, field]);
  const budget = new RequestBudget();
  const refusal = checkRecipe({ version: 1, fields: Object.fromEntries(names) }, "recipe", budget);
  expect(refusal).toMatchObject({ code: "invalid_selector", message: tooLarge });
  expect(refusal?.field).toMatch(/^recipe\.fields\.f[12]\d\./);
});

test("a recipe of two hundred plain fields is taken", () => {
  const names = Array.from({ length: 200 }, (_, at) => [`f${at}`, { selector: `.card-${at} > .value` }]);
  expect(checkRecipe({ version: 1, fields: Object.fromEntries(names) })).toBeNull();
});
