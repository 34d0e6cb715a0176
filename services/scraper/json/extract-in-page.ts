import { applyRecipe } from "../../domain/recipe/apply-recipe.ts";
import { discoverRecipe } from "../../domain/recipe/discover-recipe.ts";
import { parseDocument } from "../../domain/recipe/parse-page.ts";
import type { Recipe } from "../../domain/recipe/recipe.ts";
import { type Schema, validate } from "../../domain/recipe/validate.ts";

export { condensePage } from "./condense-page.ts";

/** What is wanted of a page. With a recipe it is applied as it stands, else one is found. All were checked before. */
export interface InPageRequest {
  schema?: Schema;
  prompt?: string;
  recipe?: Recipe;
}

export interface Found {
  ok: true;
  json: Record<string, unknown>;
  recipe: Recipe;
}

export type InPageResult = Found | { ok: false; reason: string };

/**
 * Extracts JSON from HTML: pure and synchronous, meant for a worker thread that is killed after a deadline. A result
 * holds at least one value and meets the schema; `reason` is a sentence for the client.
 */
export function extractJson(html: string, url: string, request: InPageRequest): InPageResult {
  const document = parseDocument(html);
  const recipe = request.recipe ?? discoverRecipe(document, url, request);
  if (!recipe) return { ok: false, reason: "Nothing that was asked for was found on the page." };
  const json = applyRecipe(document, recipe, url);
  if (!json) return { ok: false, reason: "The recipe found nothing on the page." };
  const fault = request.schema ? validate(request.schema, json) : null;
  if (fault)
    return {
      ok: false,
      reason: `What was found does not fit the schema: ${fault.field || "the root"} ${fault.message}.`,
    };
  return { ok: true, json, recipe };
}
