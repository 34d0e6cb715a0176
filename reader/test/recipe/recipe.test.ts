import { checkRecipe } from "../../recipe/recipe.ts";

const recipe = (fields: unknown) => ({ version: 1, fields });
const field = (value: unknown) => recipe({ a: value });

function nested(levels: number): unknown {
  return levels === 1 ? { a: { selector: "p" } } : { a: { fields: nested(levels - 1) } };
}

test.each([
  [
    "cut entries",
    field({ list: "h3", cut: "sections", fields: { a: { selector: ":scope", except: "h3" } } }),
  ],
  ["a count", field({ count: "comments", type: "integer" })],
  ["a unit", field({ label: "Weight", unit: "kg", type: "number" })],
  ["a part", field({ selector: "p", part: 2 })],
  ["a selector", field({ selector: "h1", type: "string" })],
  [
    "lists in lists",
    field({ list: "tr", fields: { b: { list: "td > a[href]", attribute: "href", format: "uri" } } }),
  ],
  [
    "every other source",
    recipe({
      a: { jsonld: "Product.name" },
      b: { microdata: "name" },
      c: { meta: "og:title" },
      d: { label: "Weight" },
      e: { column: "Name" },
    }),
  ],
  ["six levels", recipe(nested(6))],
  [
    "200 fields",
    recipe(Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, { selector: "p" }]))),
  ],
])("%s: accepted", (_, value) => {
  expect(checkRecipe(value)).toBeNull();
});

test.each([
  ["no object", [], "recipe", "type"],
  ["another version", { version: 2, fields: {} }, "recipe.version", "version"],
  ["an unknown part", { version: 1, fields: {}, code: "x" }, "recipe.code", "unknown_field"],
  ["no fields", recipe({}), "recipe.fields", "empty"],
  ["an unknown option", field({ selector: "p", script: "x" }), "recipe.fields.a.script", "unknown_field"],
  ["an unknown unit", field({ label: "Weight", unit: "stone" }), "recipe.fields.a.unit", "not_allowed"],
  ["a part of nothing", field({ label: "Weight", part: 1 }), "recipe.fields.a.part", "source"],
  ["a part 0", field({ selector: "p", part: 0 }), "recipe.fields.a.part", "type"],
  ["no source", field({ type: "string" }), "recipe.fields.a", "source"],
  ["a cut of texts", field({ list: "h3", cut: "sections" }), "recipe.fields.a.cut", "source"],
  [
    "an unknown cut",
    field({ list: "h3", cut: "rows", fields: { b: { selector: "p" } } }),
    "recipe.fields.a.cut",
    "not_allowed",
  ],
  ["parts left out of a label", field({ label: "x", except: "b" }), "recipe.fields.a.except", "source"],
  ["two sources", field({ selector: "p", label: "x" }), "recipe.fields.a", "source"],
  ["a broken selector", field({ selector: "a[" }), "recipe.fields.a.selector", "invalid_selector"],
  ["a relative selector", field({ list: "> li" }), "recipe.fields.a.list", "invalid_selector"],
  ["an unknown reading", field({ selector: "p", as: "poem" }), "recipe.fields.a.as", "not_allowed"],
  ["a dangling selector", field({ list: "div >" }), "recipe.fields.a.list", "invalid_selector"],
  ["an unknown pseudo-class", field({ selector: "a:foo" }), "recipe.fields.a.selector", "invalid_selector"],
  ["a long selector", field({ selector: "a".repeat(513) }), "recipe.fields.a.selector", "too_long"],
  ["an attribute alone", field({ meta: "x", attribute: "href" }), "recipe.fields.a.attribute", "source"],
  ["no such type", field({ selector: "p", type: "function" }), "recipe.fields.a.type", "not_allowed"],
  ["a false flag", field({ jsonld: "x", many: false }), "recipe.fields.a.many", "type"],
  ["seven levels", recipe(nested(7)), `recipe.fields${".a.fields".repeat(6)}`, "too_deep"],
  [
    "a name that objects inherit",
    JSON.parse('{"version":1,"fields":{"__proto__":{"selector":"p"}}}'),
    "recipe.fields",
    "invalid_name",
  ],
  [
    "201 fields",
    recipe(Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`f${index}`, { selector: "p" }]))),
    "recipe.fields",
    "too_many",
  ],
])("%s: refused", (_, value, path, code) => {
  expect(checkRecipe(value)).toMatchObject({ field: path, code, message: expect.stringMatching(/\.$/) });
});
