import { createHash } from "node:crypto";

/**
 * The identity of a recipe that a model writes: the site and what is wanted, so that it is written once for all of a
 * site's pages. The order of names in a schema makes no difference.
 */
export function recipeId(url: string, { schema, prompt }: { schema?: unknown; prompt?: string }): string {
  const identity = JSON.stringify([new URL(url).origin, schema ?? null, prompt ?? null], sorted);
  return createHash("sha256").update(identity).digest("hex");
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
