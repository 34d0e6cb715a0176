import type { Filter } from "mongodb";
import type { Doc, Query } from "../store.ts";
import type { StoredDoc } from "./stored-documents.ts";

const comparisons = new Set(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]);

/** The query for the server: unchanged, after a check that it uses the store's language only. */
export function toMongoFilter(query: Query<Doc>): Filter<StoredDoc> {
  for (const [field, condition] of Object.entries(query as Record<string, unknown>))
    if (field === "$or") listed(condition, "$or").forEach(branch => void toMongoFilter(branch as Query<Doc>));
    else checkCondition(field, condition);
  // MongoDB and FerretDB refuse an empty list of branches, which matches nothing.
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

type Node = Record<string, unknown>;

const tests: Record<string, (value: unknown, operand: unknown) => boolean> = {
  $eq: (value, operand) => (value ?? null) === operand,
  $ne: (value, operand) => (value ?? null) !== operand,
  $in: (value, operand) => (operand as unknown[]).includes(value ?? null),
  $gt: (value, operand) => differ(value, operand, order => order > 0),
  $gte: (value, operand) => differ(value, operand, order => order >= 0),
  $lt: (value, operand) => differ(value, operand, order => order < 0),
  $lte: (value, operand) => differ(value, operand, order => order <= 0),
  $exists: (value, operand) => (value !== undefined) === Boolean(operand),
};

/** Whether the server would find the document by the query, which has passed `toMongoFilter`. */
export function matches(doc: Doc, query: Query<Doc>): boolean {
  return Object.entries(query as Node).every(([field, condition]) =>
    field === "$or"
      ? (condition as Query<Doc>[]).some(branch => matches(doc, branch))
      : holds(valueAt(doc, field), condition),
  );
}

function holds(value: unknown, condition: unknown): boolean {
  if (typeof condition !== "object" || condition === null) return (value ?? null) === condition;
  return Object.entries(condition).every(([operator, operand]) => tests[operator]?.(value, operand) ?? false);
}

/** Values of different types never compare. */
function differ(value: unknown, operand: unknown, test: (order: number) => boolean): boolean {
  if (typeof value === "number" && typeof operand === "number") return test(value - operand);
  return typeof value === "string" && typeof operand === "string" && test(bytesOrder(value, operand));
}

/** The order of types, as MongoDB sorts them. */
const ranks: Record<string, number> = { undefined: 0, number: 1, string: 2, object: 3, boolean: 4 };

/** Compares documents as the server sorts them; `sort` is a list of fields, with `-` for descending order. */
export function ordering(sort: string[]): (one: Doc, other: Doc) => number {
  const terms = sort.map(term =>
    term.startsWith("-") ? { path: term.slice(1), sign: -1 } : { path: term, sign: 1 },
  );
  return (one, other) => {
    for (const { path, sign } of terms) {
      const order = compareValues(valueAt(one, path), valueAt(other, path));
      if (order !== 0) return order * sign;
    }
    return 0;
  };
}

function compareValues(one: unknown, other: unknown): number {
  const difference = rank(one) - rank(other);
  if (difference !== 0) return difference;
  if (typeof one === "string" && typeof other === "string") return bytesOrder(one, other);
  return Number(one ?? 0) - Number(other ?? 0);
}

/** Servers compare strings by their bytes. */
function bytesOrder(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function rank(value: unknown): number {
  return ranks[typeof (value ?? undefined)] ?? 3;
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
