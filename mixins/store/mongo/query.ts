import type { Filter } from "mongodb";
import type { Doc, Query } from "../store.ts";
import type { StoredDoc } from "./stored-documents.ts";

const comparisons = new Set(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]);

/** The query for the server: unchanged, after a check that it uses the store's language only. */
export function toMongoFilter(query: Query<Doc>): Filter<StoredDoc> {
  for (const [field, condition] of Object.entries(query as Record<string, unknown>))
    if (field === "$or") listed(condition, "$or").forEach(branch => void toMongoFilter(branch as Query<Doc>));
    else checkCondition(field, condition);
  // MongoDB refuses an empty list of branches, which matches nothing.
  return (matchesNothing(query) ? { _id: { $in: [] } } : query) as Filter<StoredDoc>;
}

function matchesNothing(query: Query<Doc>): boolean {
  return query.$or?.length === 0;
}

function checkCondition(field: string, condition: unknown): void {
  if (!/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(field))
    throw new TypeError(`Not a name: ${JSON.stringify(field)}`);
  const isPlain = typeof condition !== "object" || condition === null;
  for (const [operator, operand] of Object.entries(isPlain ? { $eq: condition } : condition))
    if (comparisons.has(operator)) comparable(operand);
    else if (operator === "$in") listed(operand, "$in").forEach(comparable);
    else if (operator !== "$exists") throw new TypeError(`Unknown query operator ${operator}`);
}

function listed(operand: unknown, operator: string): readonly unknown[] {
  if (!Array.isArray(operand)) throw new TypeError(`${operator} takes a list`);
  return operand;
}

function comparable(value: unknown): void {
  if (value !== null && !["string", "number", "boolean"].includes(typeof value))
    throw new TypeError(`A query compares with strings, numbers, booleans and null, not ${typeof value}`);
}

/** Undefined where there is no such field. */
export function valueAt(doc: object, path: string): unknown {
  let value: unknown = doc;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
