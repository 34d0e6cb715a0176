import { applyField, applyRecipe, rootScope } from "./apply-recipe.ts";
import { findFields } from "./find-fields.ts";
import { type Site, siteOf } from "./name-index.ts";
import type { Page } from "./parse-page.ts";
import { groupOfWants, promptWants } from "./prompt.ts";
import type { Fields, Recipe } from "./recipe.ts";
import type { Schema } from "./schema.ts";
import { type Want, wantsOf } from "./want.ts";

/** The wanted values: a schema that passed `checkSchema`, a prompt, or both; the schema's properties come first. */
export interface Request {
  schema?: Schema;
  prompt?: string;
}

/**
 * Finds a recipe for a page without a model: looks for each property in linked data, labels, tables, named elements,
 * usual places, meta elements and repeated blocks. The same page and request give the same recipe. Null when nothing was
 * found.
 */
export function discoverRecipe(page: Page, request: Request): Recipe | null {
  return discover(page, request)?.recipe ?? null;
}

/** That recipe, and what it reads from the page. */
export function discover(
  page: Page,
  { schema, prompt }: Request,
): { recipe: Recipe; json: Record<string, unknown> } | null {
  const site = siteOf(rootScope(page), true);
  const wants = schema ? wantsOf(schema) : [];
  const isPrompt = wants.length === 0 && prompt !== undefined;
  const fields = isPrompt ? promptedFields(promptWants(prompt), site) : findFields(wants, [site]);
  const recipe: Recipe = { version: 1, fields };
  const json = Object.keys(fields).length > 0 ? applyRecipe(page, recipe) : undefined;
  return json === undefined ? null : { recipe, json };
}

const minRows = 3;

/**
 * On a page that lists products, `price and name` means those of each; the price alone means none of them. The page
 * lists them when its only price is the one of the first entry.
 */
function promptedFields(wants: Want[], site: Site): Fields {
  const fields = findFields(wants, [site]);
  const price = wants.find(want => want.concept === "price" && want.kind === "number");
  if (!price) return fields;
  const singles = wants.filter(({ kind }) => kind !== "array" && kind !== "object");
  const group = groupOfWants("items", singles);
  const rows = findFields([group], [site])[group.name];
  if (!rows) return fields;
  const entries = applyField(rows, site);
  if (!Array.isArray(entries) || entries.length < minRows) return fields;
  const own = fields[price.name];
  if (own && applyField(own, site) !== entries[0][price.name]) return fields;
  const isWhole = entries.every(entry => singles.every(({ name }) => entry[name] !== undefined));
  if (!own && !isWhole) return fields;
  const others = Object.entries(fields).filter(([name]) => !singles.some(single => single.name === name));
  return Object.fromEntries(isWhole && singles.length > 1 ? [[group.name, rows], ...others] : others);
}
