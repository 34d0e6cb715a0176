import { array, object } from "./goldens.ts";
import { listPages } from "./list-pages.ts";
import { readRecipe, recipeFor } from "./template.ts";

function read(html: string, schema: Record<string, unknown>): unknown {
  const recipe = recipeFor(html, schema);
  return recipe && readRecipe(html, recipe);
}

test.each(listPages)("$name", ({ html, schema, json }) => {
  expect(read(html, schema)).toEqual(json);
});

test.each(listPages.filter(({ linked }) => linked))(
  "$name, with linked data",
  ({ html, schema, json, linked }) => {
    const script = `<script type="application/ld+json">${JSON.stringify(linked)}</script>`;
    expect(read(html.replace("</head>", `${script}</head>`), schema)).toEqual(json);
  },
);

test("filters, navigation and advertisements are no rows", () => {
  const { html, schema } = listPages.find(({ name }) => name.includes("build tool")) ?? {
    html: "",
    schema: {},
  };
  const withoutTiles = html.replace(/<a class="css-t7i8l9".*?<\/a>/g, "");
  expect(withoutTiles).not.toBe(html);
  expect(read(withoutTiles, schema)).toBeNull();
});

test("headings of an article are no questions", () => {
  const sections = ["The mill", "The quay", "The hall"].map(
    name => `<h2>${name}</h2><p>Most visitors walk the last mile.</p><p>It opens at nine.</p>`,
  );
  const html = `<html><body><main><h1>Leeds</h1>${sections.join("")}</main></body></html>`;
  const schema = object({ faqs: array(object({ "question!": "string", "answer!": "string" })) });
  expect(read(html, schema)).toBeNull();
});
