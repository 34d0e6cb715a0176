import { applyRecipe } from "../../recipe/apply-recipe.ts";
import { discoverRecipe, type Request } from "../../recipe/discover-recipe.ts";
import { parsePage } from "../../recipe/parse-page.ts";
import type { Recipe } from "../../recipe/recipe.ts";
import { array, object, pageUrl } from "./goldens.ts";

/** Five pages of one design, what is asked of them, and what each of them states. */
export interface Template {
  name: string;
  schema: Record<string, unknown>;
  pages: { html: string; json: Record<string, unknown> }[];
}

const pages = [0, 1, 2, 3, 4];

/** Makes the five pages: `read` gives the values of a page by its number, `write` its HTML. */
export function template<Values extends Record<string, unknown>>(
  name: string,
  properties: Record<string, unknown>,
  read: (page: number) => Values,
  write: (values: Values, page: number) => string,
): Template {
  return {
    name,
    schema: object(properties),
    pages: pages.map(page => {
      const values = read(page);
      const json = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
      return { json, html: write(values, page) };
    }),
  };
}

export const rowsOf = (properties: Record<string, unknown>) => array(object(properties));
export const address = { type: "string", format: "uri" };
export const day = { type: "string", format: "date" };

/** A value that differs from page to page. */
export function pick<Value>(values: Value[], ...seeds: number[]): Value {
  const mixed = seeds.reduce((sum, seed) => sum + seed, 0);
  return values[mixed % values.length] as Value;
}

/** As many entries as a page has, from zero. */
export function times<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export function each<Value>(values: Value[], write: (value: Value, index: number) => string): string {
  return values.map(write).join("\n");
}

/** The text when there is a value, else nothing: optional parts of a page. */
export function given<Value>(value: Value | undefined, write: (value: Value) => string): string {
  return value === undefined ? "" : write(value);
}

/** A page with what surrounds its subject on real sites. */
export function site(title: string, body: string, head = ""): string {
  return `<!doctype html><html lang="en"><head><title>${title} | Fernhill</title>${head}</head><body>
<header class="site-header"><a class="logo" href="/">Fernhill</a><form role="search"><input name="q"><button>Search</button></form>
<nav><ul><li><a href="/new">New</a></li><li><a href="/sale">Sale</a></li><li><a href="/help">Help</a></li></ul></nav></header>
${body}
<footer><h3>Newsletter</h3><p>Get 10% off your first order.</p><ul><li><a href="/imprint">Imprint</a></li><li><a href="/terms">Terms</a></li></ul><p>© 2025 Fernhill Ltd.</p></footer>
</body></html>`;
}

export const things = [
  "Copper Kettle",
  "Linen Apron",
  "Walnut Board",
  "Iron Skillet",
  "Glass Carafe",
  "Wool Blanket",
  "Brass Lamp",
  "Clay Teapot",
  "Oak Stool",
  "Cotton Throw",
  "Steel Thermos",
];
export const people = [
  "Ada Winter",
  "Bram Osei",
  "Carla Reyes",
  "Dmitri Falk",
  "Esther Lindqvist",
  "Farid Haddad",
  "Greta Moss",
];
export const towns = ["Leeds", "Porto", "Ghent", "Tampere", "Bologna", "Aarhus", "Graz"];
export const makers = ["Hearthline", "Norvik", "Casa Lume", "Palmer & Sons", "Tidewater"];
export const sentences = [
  "The river rose overnight and the mill closed its gates.",
  "Each piece is finished by hand in a small workshop.",
  "We tested it for a month in a busy kitchen.",
  "Volunteers counted the swallows again this spring.",
  "A second coat of oil keeps the surface from drying out.",
  "The council will vote on the plan in the autumn.",
  "Most visitors come by train and walk the last mile.",
];
export const days = ["2025-01-14", "2025-02-03", "2025-03-22", "2024-11-08", "2024-12-30", "2025-05-17"];

const months = "January February March April May June July August September October November December".split(
  " ",
);

/** `2025-03-22` as `22 March 2025`. */
export function spelled(date: string): string {
  const [year = "", month = "", dayOfMonth = ""] = date.split("-");
  return `${Number(dayOfMonth)} ${months[Number(month) - 1]} ${year}`;
}

export function recipeFor(html: string, schema: Record<string, unknown>): Recipe | null {
  return recipeOf(html, { schema });
}

export function recipeOf(html: string, request: Request): Recipe | null {
  return discoverRecipe(parsePage(html, pageUrl), request);
}

export function readRecipe(html: string, recipe: Recipe): unknown {
  return applyRecipe(parsePage(html, pageUrl), recipe);
}
