import type { Filter } from "mongodb";
import type { Doc, Query } from "../store.ts";
import type { Stored } from "./stored.ts";

const comparisons = new Set(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]);

/** The query as the server takes it: the same, once it is sure that it holds nothing but the store's language. */
export function filterOf(query: Query<Doc>): Filter<Stored> {
  for (const [field, condition] of Object.entries(query as Record<string, unknown>))
    if (field === "$or") listed(condition, "$or").forEach(branch => void filterOf(branch as Query<Doc>));
    else check(field, condition);
  // FerretDB and MongoDB alike refuse an empty list of branches, of which none can hold.
  return (isNever(query) ? { _id: { $in: [] } } : query) as Filter<Stored>;
}

function isNever(query: Query<Doc>): boolean {
  return query.$or?.length === 0;
}

function check(field: string, condition: unknown): void {
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
