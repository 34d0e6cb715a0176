import { applyRecipe, rootScope } from "./apply-recipe.ts";
import { findFields } from "./find-fields.ts";
import { siteOf } from "./find-value.ts";
import { toPage } from "./parse-page.ts";
import { promptWants } from "./prompt-wants.ts";
import type { Recipe } from "./recipe.ts";
import type { Schema } from "./validate.ts";
import { type Want, wantsOf } from "./want.ts";

/** What is wanted: a schema that passed `checkSchema`, a sentence, or both; the schema's properties go first. */
export interface Request {
  schema?: Schema;
  prompt?: string;
}

/**
 * Finds a recipe for a page with no model: each property is looked for in linked data, labels, tables, named elements,
 * usual places, meta elements and repeated blocks. The same page and request give the same recipe. Null when nothing
 * that is wanted was found.
 */
export function discoverRecipe(document: Document, url: string, request: Request): Recipe | null {
  const site = siteOf(rootScope(toPage(document, url)), true);
  const fields = findFields(wantsFor(request), [site]);
  const recipe: Recipe = { version: 1, fields };
  return Object.keys(fields).length > 0 && applyRecipe(document, recipe, url) ? recipe : null;
}

function wantsFor({ schema, prompt }: Request): Want[] {
  const wants = schema ? wantsOf(schema) : [];
  return wants.length === 0 && prompt !== undefined ? promptWants(prompt) : wants;
}
