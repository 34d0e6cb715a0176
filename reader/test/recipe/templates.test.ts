import { readRecipe, recipeFor, type Template } from "./template.ts";
import { templatesOfLists } from "./templates-of-lists.ts";
import { templatesOfThings } from "./templates-of-things.ts";

const templates = [...templatesOfThings, ...templatesOfLists];

interface Share {
  right: number;
  all: number;
}

/** What a recipe of the first page reads on the four others. A row too many is a wrong field. */
function shareOf({ pages, schema }: Template): Share & { wrong: string[] } {
  const [first, ...others] = pages;
  const recipe = first && recipeFor(first.html, schema);
  const compared = others.flatMap(({ html, json }) =>
    differences(json, recipe ? readRecipe(html, recipe) : {}),
  );
  return {
    right: compared.filter(({ same }) => same).length,
    all: compared.length,
    wrong: compared.flatMap(({ same, said }) => (same ? [] : [said])),
  };
}

function differences(wanted: unknown, found: unknown, path = ""): { same: boolean; said: string }[] {
  if (!isContainer(wanted) && !isContainer(found))
    return [{ same: wanted === found, said: `${path}: ${wanted} but ${found}` }];
  const [left, right] = [wanted, found].map(value => (isContainer(value) ? value : {})) as [
    Record<string, unknown>,
    Record<string, unknown>,
  ];
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].flatMap(name => differences(left[name], right[name], `${path}/${name}`));
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

test("there are twenty templates of five pages, and no two pages of one are the same", () => {
  expect(templates).toHaveLength(20);
  for (const { pages } of templates) expect(new Set(pages.map(({ html }) => html)).size).toBe(5);
});

test("recipes of a template's first page read nine of ten fields on the others, over all templates", () => {
  const shares = templates.map(shareOf);
  const right = shares.reduce((sum, share) => sum + share.right, 0);
  const all = shares.reduce((sum, share) => sum + share.all, 0);
  expect(all).toBeGreaterThan(700);
  expect(right / all).toBeGreaterThanOrEqual(0.9);
});

test.each(templates)("$name: a recipe of the first page reads half of the fields of the others", template => {
  const { right, all, wrong } = shareOf(template);
  expect({ wrong, enough: right / all >= 0.5 }).toEqual({ wrong, enough: true });
});
