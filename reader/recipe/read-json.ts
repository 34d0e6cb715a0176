import { applyRecipe } from "./apply-recipe.ts";
import { discover } from "./discover-recipe.ts";
import { type Page, TooMuchWork } from "./parse-page.ts";
import { promptWants } from "./prompt.ts";
import type { Recipe } from "./recipe.ts";
import { type Schema, validate } from "./schema.ts";

/** What is wanted of a page. A given recipe is applied unchanged; without one, rules find one. All are checked already. */
export interface WantedJson {
  schema?: Schema;
  prompt?: string;
  recipe?: Recipe;
}

export interface Found {
  ok: true;
  json: Record<string, unknown>;
  /** What found it in a page. Absent for a document that is no page. */
  recipe?: Recipe;
}

/** `reason`: a sentence. `needsSchema`: the values may be found where a schema names them. */
export type JsonResult = Found | { ok: false; reason: string; needsSchema?: true };

export const nothingFound: JsonResult = {
  ok: false,
  reason: "Nothing that was asked for was found on the page.",
};

const maxNames = 10;

/** That, with the properties that a schema requires: they are what was missed. */
export function nothingOf(schema: Schema | undefined): JsonResult {
  const required = Array.isArray(schema?.required) ? schema.required.map(String) : [];
  if (required.length === 0) return nothingFound;
  const names = required.slice(0, maxNames).map(name => `\`${name.slice(0, 64)}\``);
  const rest = required.length > maxNames ? ` and ${required.length - maxNames} more` : "";
  return {
    ok: false,
    reason: `Nothing that was asked for was found on the page. The schema requires ${names.join(", ")}${rest}.`,
  };
}

/**
 * Extracts JSON from a page. A result holds at least one value and meets the schema. The work is bounded: a request that
 * takes more fails.
 */
export function readJson(open: () => Page, request: WantedJson): JsonResult {
  try {
    return resultOf(open(), request);
  } catch (error) {
    if (error instanceof TooMuchWork) return { ok: false, reason: error.message };
    throw error;
  }
}

/** A prompt can be asked in another way. */
function refusalOf({ schema, prompt }: WantedJson): JsonResult {
  if (schema?.properties !== undefined || prompt === undefined) return nothingOf(schema);
  const isUnderstood = promptWants(prompt).length > 0;
  const reason = isUnderstood
    ? "Rules found nothing on the page that answers the prompt."
    : "Rules answer prompts that name values or lists of a page; this one asks for more.";
  return { ok: false, reason, needsSchema: true };
}

function resultOf(page: Page, request: WantedJson): JsonResult {
  const found = request.recipe
    ? { recipe: request.recipe, json: applyRecipe(page, request.recipe) }
    : discover(page, request);
  if (!found) return refusalOf(request);
  const { recipe, json } = found;
  if (!json) return { ok: false, reason: "The recipe found nothing on the page." };
  const error = request.schema ? validate(request.schema, json) : null;
  if (error)
    return {
      ok: false,
      reason: `What was found does not fit the schema: ${error.field || "the root"} ${error.message}.`,
    };
  return { ok: true, json, recipe };
}
