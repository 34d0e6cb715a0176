import { applyRecipe } from "../../recipe/apply-recipe.ts";
import { discoverRecipe, type Request } from "../../recipe/discover-recipe.ts";
import { parsePage } from "../../recipe/parse-page.ts";
import { checkRecipe, type Recipe } from "../../recipe/recipe.ts";
import { checkSchema, validate } from "../../recipe/schema.ts";
import { array, goldens, object, pageOf, pageUrl } from "./goldens.ts";

function discover(html: string, request: Request): Recipe | null {
  return discoverRecipe(parsePage(html, pageUrl), request);
}

function apply(html: string, recipe: Recipe | null): unknown {
  if (!recipe) throw new Error("no recipe was found");
  const kept = JSON.parse(JSON.stringify(recipe)) as Recipe;
  expect(checkRecipe(kept)).toBeNull();
  return applyRecipe(parsePage(html, pageUrl), kept);
}

test.each(goldens)(
  "$page: the recipe that is found reads what the schema asks for",
  ({ page, schema, json }) => {
    expect(checkSchema(schema)).toBeNull();
    const recipe = discover(pageOf(page), { schema });
    expect(apply(pageOf(page), recipe)).toEqual(json);
    expect(validate(schema, json)).toBeNull();
    expect(discover(pageOf(page), { schema })).toEqual(recipe);
  },
);

describe("a recipe reads other pages of the same template", () => {
  const goldenOf = (name: string) => goldens.find(({ page }) => page === name);

  test("a product page with nothing but classes", () => {
    const recipe = discover(pageOf("product-classes"), { schema: goldenOf("product-classes")?.schema });
    expect(apply(pageOf("product-classes-2"), recipe)).toEqual({
      product_title: "Pine Shelf, 60 cm",
      price: 315.5,
      original_price: 399,
      description: "Light and pale.",
      image: "https://site.example/img/pine.webp",
      inStock: false,
      features: ["Holds 12 kg"],
      material: "Pine",
      weight: "3 kg",
      tags: ["oak", "storage"],
    });
  });

  test("a listing with other cards, fewer of them", () => {
    const recipe = discover(pageOf("listing-cards"), { schema: goldenOf("listing-cards")?.schema });
    const card = (id: number) =>
      `<article class="card"><a href="/p/${id}"><img src="/i/${id}.jpg"></a><h3><a href="/p/${id}">Stool ${id}</a></h3><span class="amount">€ ${id}.25</span></article>`;
    const html = `<html><body><main><div class="grid"><div class="row">${card(7)}</div></div></main></body></html>`;
    expect(apply(html, recipe)).toEqual({
      products: [
        {
          name: "Stool 7",
          price: 7.25,
          url: "https://site.example/p/7",
          image: "https://site.example/i/7.jpg",
        },
      ],
    });
  });

  test.each([
    ["product-jsonld", /Aurora Desk Lamp/g, "Borealis Lamp", "title"],
    ["product-microdata", /Trail Boots 9/g, "Trail Boots 10", "name"],
    ["german", /Wanderrucksack Alm 40/g, "Tagesrucksack Tal", "title"],
    ["job", /Lighthouse Keeper/g, "Ferryman", "job_title"],
  ])("%s", (page, before, after, property) => {
    const golden = goldenOf(page);
    const recipe = discover(pageOf(page), { schema: golden?.schema });
    expect(apply(pageOf(page).replace(before, after), recipe)).toEqual({
      ...golden?.json,
      [property]: after,
    });
  });
});

describe("with a prompt alone", () => {
  test.each([
    [
      "product-jsonld",
      "Extract the title, price and availability",
      { title: "Aurora Desk Lamp", price: 1249.5, availability: "InStock" },
    ],
    ["cooking", "Please get the ingredients.", { ingredients: ["3 leeks", "1 l stock", "salt"] }],
    [
      "german",
      "Extrahiere Titel, Preis und Gewicht",
      { titel: "Wanderrucksack Alm 40", preis: 1299.9, gewicht: "1,35 kg" },
    ],
    [
      "spec-sheet",
      `Extract "Flow rate" and "Max. pressure"`,
      { flow_rate: "3,200 l/h", max_pressure: "4.5 bar" },
    ],
    ["product-microdata", "What is the number of reviews?", { review_count: 1310 }],
    [
      "people-table",
      "a list of employees, each with name, email and start date",
      {
        employees: [
          { name: "Ines Moreau", email: "ines@garden.example", start_date: "3 May 2012" },
          { name: "Tom Hale", email: "tom@garden.example", start_date: "17 January 2020" },
          { name: "Yu Chen", email: "yu@garden.example", start_date: "1 Sept 2023" },
        ],
      },
    ],
    [
      "listing-cards",
      "Get all products (name, price)",
      {
        products: [
          { name: "Windsor", price: 89 },
          { name: "Thonet", price: 145.5 },
          { name: "Eames", price: 1020 },
          { name: "Panton", price: 240 },
        ],
      },
    ],
  ])("%s: %s", (page, prompt, json) => {
    expect(apply(pageOf(page), discover(pageOf(page), { prompt }))).toEqual(json);
  });

  test.each([
    ["listing-cards", "Extract the flight number"],
    ["article", "the gate and the departure time"],
    ["empty", "Extract the title"],
    ["product-jsonld", "!!!"],
  ])("%s: %s: nothing is found, and nothing is made up", (page, prompt) => {
    expect(discover(pageOf(page), { prompt })).toBeNull();
  });

  test("the schema goes first when both are given", () => {
    const recipe = discover(pageOf("product-jsonld"), {
      schema: object({ sku: "string" }),
      prompt: "the title",
    });
    expect(Object.keys(recipe?.fields ?? {})).toEqual(["sku"]);
  });
});

describe("what is not there", () => {
  test.each([
    ["empty", object({ title: "string" })],
    ["article", object({ boiling_point: "number" })],
    ["article", object({ flights: array(object({ gate: "string", seat: "string" })) })],
    ["faq", { type: "object" }],
  ])("%s: null", (page, schema) => {
    expect(discover(pageOf(page), { schema })).toBeNull();
  });

  test("a value that the schema does not take is not taken", () => {
    const price = { type: "number", maximum: 100 };
    expect(discover(pageOf("product-jsonld"), { schema: object({ price }) })).toBeNull();
    const sku = { type: "string", pattern: "^[0-9]+$" };
    expect(discover(pageOf("product-jsonld"), { schema: object({ sku }) })).toBeNull();
  });
});

test("names that a build tool made do not get into selectors", () => {
  const page = (hash: string) =>
    `<html><body><main class="css-${hash}"><div class="sc-${hash}Xa"><h1 class="_3xK2p">Teal</h1><span class="jsx-${hash}">$4.00</span></div></main></body></html>`;
  const schema = object({ title: "string", price: "number" });
  const recipe = discover(page("1q2w3e"), { schema });
  expect(JSON.stringify(recipe)).not.toMatch(/1q2w3e|_3xK2p/);
  expect(apply(page("9z8y7x").replace("Teal", "Plum").replace("4.00", "6.50"), recipe)).toEqual({
    title: "Plum",
    price: 6.5,
  });
});

test("a schema that refers to itself ends", () => {
  const schema = {
    type: "object",
    properties: { title: { type: "string" }, child: { $ref: "#" } },
  };
  expect(apply(pageOf("article"), discover(pageOf("article"), { schema }))).toMatchObject({
    title: "Tides return to the estuary",
  });
});
