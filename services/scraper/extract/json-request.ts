import { createHash } from "node:crypto";
import type { WantedJson } from "../../../reader/recipe/read-json.ts";
import { isObject, type Recipe } from "../../../reader/recipe/recipe.ts";
import type { Schema } from "../../../reader/recipe/schema.ts";
import type { OutputOptions } from "../../contracts/page-options.ts";

/** What a request wants of a page as JSON. */
export type JsonRequest = NonNullable<OutputOptions["json"]>;

/** What a thread finds without a model. A user's recipe is applied unchanged; without one, rules find a recipe. */
export function inPageRequest({ json_schema: schema, prompt, recipe }: JsonRequest): WantedJson {
  return recipe ? { schema, recipe: recipe as unknown as Recipe } : { schema, prompt };
}

/** The origin of a page. Undefined for a document that was sent: it has no address, and other keys send theirs. */
export function siteOf(url: string): string | undefined {
  const origin = URL.parse(url)?.origin;
  return origin === "null" ? undefined : origin;
}

/**
 * The id of what a model decides, made of site and request: it is asked once for all pages of a site. The order of names in
 * a schema makes no difference. Undefined for a page without a site.
 */
export function recipeId(
  url: string,
  { schema, prompt }: { schema?: unknown; prompt?: string },
  mode: "auto" | "recipe" = "auto",
): string | undefined {
  const site = siteOf(url);
  if (site === undefined) return undefined;
  const identity = JSON.stringify([site, schema ?? null, prompt ?? null, mode], sorted);
  return createHash("sha256").update(identity).digest("hex");
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether rules found each property that is asked for. */
export function isWhole(json: Schema, schema: Schema | undefined): boolean {
  const names = isObject(schema?.properties) ? Object.keys(schema.properties) : [];
  return names.every(name => json[name] !== undefined && json[name] !== null);
}

export function withoutNames(schema: Schema, names: readonly string[]): Schema {
  return restricted(schema, name => !names.includes(name));
}

export function withNames(schema: Schema, names: readonly string[]): Schema {
  return restricted(schema, name => names.includes(name));
}

/** The schema for some of its properties. */
function restricted(schema: Schema, isKept: (name: string) => boolean): Schema {
  const { properties, required, ...rest } = schema;
  const kept = Object.entries(Object(properties)).filter(([name]) => isKept(name));
  const needed = Array.isArray(required) ? required.filter(name => isKept(String(name))) : [];
  return { ...rest, properties: Object.fromEntries(kept), ...(needed.length > 0 && { required: needed }) };
}
