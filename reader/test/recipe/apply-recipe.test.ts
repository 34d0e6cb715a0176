import { applyRecipe } from "../../recipe/apply-recipe.ts";
import { parsePage } from "../../recipe/parse-page.ts";
import type { Fields } from "../../recipe/recipe.ts";
import { pageOf, pageUrl } from "./goldens.ts";

function read(html: string, fields: Fields): unknown {
  return applyRecipe(parsePage(html, pageUrl), { version: 1, fields });
}

const one = (text: string, lang = "en") => `<html lang="${lang}"><body><p>${text}</p></body></html>`;

describe("numbers", () => {
  test.each([
    ["1,299.00 USD", "en", 1299],
    ["$1,299", "en", 1299],
    ["1.299,00 €", "de", 1299],
    ["1.299", "de", 1299],
    ["1.299", "en", 1.299],
    ["1,299", "de", 1.299],
    ["0,299", "en", 0.299],
    ["1 299,50 kr", "sv", 1299.5],
    ["1\u00a0299\u00a0000", "fr", 1299000],
    ["1'299.50", "de-CH", 1299.5],
    ["1.234.567", "en", 1234567],
    ["12,5 %", "en", 12.5],
    ["-4 °C", "en", -4],
    ["−4.5", "en", -4.5],
    ["A-5", "en", 5],
    ["from 3 to 9", "en", 3],
    ["none", "en", undefined],
  ])("%s (%s) is %p", (text, lang, value) => {
    const expected = value === undefined ? undefined : { n: value };
    expect(read(one(text, lang), { n: { selector: "p", type: "number" } })).toEqual(expected);
  });

  test("an integer is whole or not there", () => {
    expect(read(one("4.5"), { n: { selector: "p", type: "integer" } })).toBeUndefined();
    expect(read(one("4"), { n: { selector: "p", type: "integer" } })).toEqual({ n: 4 });
  });
});

describe("dates", () => {
  test.each([
    ["2024-02-29", "en", "2024-02-29"],
    ["2023-02-29", "en", undefined],
    ["12 March 2024", "en", "2024-03-12"],
    ["March 12th, 2024", "en", "2024-03-12"],
    ["12. März 2024", "de", "2024-03-12"],
    ["12 de octubre de 2024", "es", "2024-10-12"],
    ["03.04.2024", "de", "2024-04-03"],
    ["03/04/2024", "en-US", "2024-03-04"],
    ["03/04/2024", "en-GB", "2024-04-03"],
    ["03/24/2024", "en-GB", "2024-03-24"],
    ["yesterday", "en", undefined],
  ])("%s (%s) is %s", (text, lang, date) => {
    const expected = date === undefined ? undefined : { d: date };
    expect(read(one(text, lang), { d: { selector: "p", format: "date" } })).toEqual(expected);
  });

  test.each([
    ["2024-02-29T08:30:00+01:00", "2024-02-29T08:30:00+01:00"],
    ["2024-02-29 8:30", "2024-02-29T08:30:00Z"],
    ["12 March 2024, 8:05 pm", "2024-03-12T20:05:00Z"],
    ["12 March 2024", "2024-03-12T00:00:00Z"],
  ])("%s is %s", (text, date) => {
    expect(read(one(text), { d: { selector: "p", format: "date-time" } })).toEqual({ d: date });
  });
});

test.each([
  ["Yes", true],
  ["ausverkauft", false],
  ["https://schema.org/InStock", true],
  ["Out of stock.", false],
  ["perhaps", undefined],
])("%s as a boolean is %p", (text, value) => {
  const expected = value === undefined ? undefined : { b: value };
  expect(read(one(text), { b: { selector: "p", type: "boolean" } })).toEqual(expected);
});

test.each<[string, Fields, unknown]>([
  ["what is missing is left out", { a: { selector: "h1" }, b: { selector: ".none" } }, { a: "PX-300 Pump" }],
  [
    "or null",
    { a: { selector: "h1" }, b: { selector: ".none", nullable: true } },
    { a: "PX-300 Pump", b: null },
  ],
  ["nothing but nulls is nothing", { b: { selector: ".none", nullable: true } }, undefined],
  [
    "labels of rows and lists",
    { a: { label: "max pressure" }, b: { label: "Warranty" } },
    { a: "4.5 bar", b: "5 years" },
  ],
  [
    "texts of a list",
    { a: { list: ".specs th" } },
    { a: ["Flow rate", "Max. pressure", "Weight", "Colour", "Self-priming"] },
  ],
  [
    "an object from the same place",
    { a: { fields: { b: { selector: "h2" } } } },
    { a: { b: "Technical data" } },
  ],
  ["an enum takes its own texts only", { a: { label: "Colour", enum: ["RED", "GREEN"] } }, { a: "GREEN" }],
])("%s", (_, fields, expected) => {
  expect(read(pageOf("spec-sheet"), fields)).toEqual(expected);
});

test("addresses are absolute, by the page's base, and http", () => {
  const html = `<html><head><base href="https://cdn.example/x/"></head><body><a href="y?z=1">go</a><a class="js" href="javascript:alert(1)">no</a></body></html>`;
  const fields: Fields = {
    a: { selector: "a", format: "uri" },
    b: { selector: ".js", format: "uri" },
    c: { selector: "a", attribute: "href" },
  };
  expect(read(html, fields)).toEqual({ a: "https://cdn.example/x/y?z=1", c: "y?z=1" });
});

test("linked data with comments, commas at ends and several values is read", () => {
  const script = '/* shop */ {"@type":"Thing","name":"n",} // end\n{"@type":"Offer","price":5,}';
  const html = `<html><body><script type="application/ld+json">${script}</script></body></html>`;
  expect(read(html, { a: { jsonld: "Thing.name" }, b: { jsonld: "Offer.price" } })).toEqual({
    a: "n",
    b: "5",
  });
});

test("linked data cannot reach what objects inherit", () => {
  const html = `<html><body><script type="application/ld+json">{"@type":"Thing","name":"n"}</script></body></html>`;
  expect(read(html, { a: { jsonld: "Thing.constructor.name" }, b: { jsonld: "Thing.name" } })).toEqual({
    b: "n",
  });
});

test("entries without a required property are left out", () => {
  const fields: Fields = {
    rows: { list: ".card", fields: { price: { selector: ".amount", type: "number", required: true } } },
  };
  expect(read(pageOf("listing-cards"), fields)).toEqual({
    rows: [89, 145.5, 1020, 240].map(price => ({ price })),
  });
});
