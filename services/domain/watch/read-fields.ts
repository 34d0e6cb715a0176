import { applyRecipe } from "../../../reader/recipe/apply-recipe.ts";
import { discoverRecipe } from "../../../reader/recipe/discover-recipe.ts";
import type { Page } from "../../../reader/recipe/parse-page.ts";
import type { Recipe } from "../../../reader/recipe/recipe.ts";
import type { FieldsWanted } from "./view.ts";

export type Fields = Record<string, unknown>;

/** A field that differs; null for one that is not there. */
export type FieldChanges = Record<string, { from: unknown; to: unknown }>;

/**
 * The fields of a page, and the recipe that found them. A schema's recipe is found once and kept in `learned`, so that a
 * page which loses a value is not searched for another that looks like it; only where all are gone it is found anew.
 * Undefined when none of the fields is there.
 */
export function readFields(
  page: Page,
  { schema, recipe }: FieldsWanted,
  learned?: Recipe,
): { fields: Fields; recipe: Recipe } | undefined {
  const given = recipe as unknown as Recipe | undefined;
  const known = given ?? learned;
  const fields = known && applyRecipe(page, known);
  if (known && fields && hasValue(fields)) return { fields, recipe: known };
  const found = given === undefined && schema ? discoverRecipe(page, { schema }) : null;
  const foundFields = found && applyRecipe(page, found);
  return found && foundFields && hasValue(foundFields) ? { fields: foundFields, recipe: found } : undefined;
}

function hasValue(fields: Fields): boolean {
  return Object.values(fields).some(value => value !== null && value !== undefined);
}

/** The fields as lines of text, `offers[0].price: 12`, by which they are shown and compared. */
export function linesOfFields(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, value]) => linesOf(name, value));
}

function linesOf(path: string, value: unknown): string[] {
  if (value === null || value === undefined) return [`${path}: none`];
  if (Array.isArray(value)) return value.flatMap((entry, index) => linesOf(`${path}[${index}]`, entry));
  if (typeof value === "object")
    return Object.entries(value).flatMap(([name, part]) => linesOf(`${path}.${name}`, part));
  return [`${path}: ${String(value).replace(/\s+/g, " ")}`];
}

/** The fields that differ, by their names; undefined when none does. */
export function changedFields(before: Fields, after: Fields): FieldChanges | undefined {
  const changes: FieldChanges = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [from, to] = [before[name] ?? null, after[name] ?? null];
    if (canonical(from) !== canonical(to)) changes[name] = { from, to };
  }
  return Object.keys(changes).length > 0 ? changes : undefined;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
