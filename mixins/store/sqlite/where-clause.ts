import type { SQLInputValue } from "node:sqlite";

/** A piece of SQL and the values of its placeholders, in order. */
export interface Fragment {
  sql: string;
  values: SQLInputValue[];
}

type AnyQuery = Record<string, unknown>;

/** The SQL condition of a query; `TRUE` for an empty one. */
export function where(query: AnyQuery): Fragment {
  const parts = Object.entries(query).map(([field, condition]) =>
    field === "$or" ? either(condition) : conditions(field, condition),
  );
  return join(parts, " AND ", "TRUE");
}

/** The value of a field as an expression. Names are inlined: SQLite uses an index on an expression only then. */
export function column(field: string): string {
  assertName(field);
  return field === "_id" ? "_id" : `doc ->> '$.${field}'`;
}

/** Rejects everything but plain or dotted names, the only input that goes into SQL text here. */
export function assertName(name: string): void {
  if (!/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(name))
    throw new TypeError(`Not a name: ${JSON.stringify(name)}`);
}

function either(branches: unknown): Fragment {
  if (!Array.isArray(branches)) throw new TypeError("$or takes a list");
  return join(branches.map(where), " OR ", "FALSE");
}

function conditions(field: string, condition: unknown): Fragment {
  if (!isOperators(condition)) return compare(field, "$eq", condition);
  return join(
    Object.entries(condition).map(([operator, operand]) => compare(field, operator, operand)),
    " AND ",
    "TRUE",
  );
}

function isOperators(condition: unknown): condition is Record<string, unknown> {
  return typeof condition === "object" && condition !== null;
}

const comparisons: Record<string, string> = { $gt: ">", $gte: ">=", $lt: "<", $lte: "<=" };

function compare(field: string, operator: string, operand: unknown): Fragment {
  const left = column(field);
  const comparison = comparisons[operator];
  if (comparison) return { sql: `${left} ${comparison} ?`, values: [bindable(operand)] };
  switch (operator) {
    case "$eq":
      // `=` implies that the value is there, so SQLite can use an index that leaves out missing values.
      return operand === null
        ? { sql: `${left} IS NULL`, values: [] }
        : { sql: `${left} = ?`, values: [bindable(operand)] };
    case "$ne":
      return { sql: `${left} IS NOT ?`, values: [bindable(operand)] };
    case "$in":
      return among(left, operand);
    case "$exists":
      return exists(field, operand);
    default:
      throw new TypeError(`Unknown query operator ${operator}`);
  }
}

/** Writes one placeholder for a list of any length, so that the statement cache stays small. */
function among(left: string, operand: unknown): Fragment {
  if (!Array.isArray(operand)) throw new TypeError("$in takes a list");
  const values = operand.map(bindable);
  const listed = `${left} IN (SELECT value FROM json_each(?))`;
  return {
    sql: values.includes(null) ? `(${listed} OR ${left} IS NULL)` : listed,
    values: [JSON.stringify(values)],
  };
}

function exists(field: string, operand: unknown): Fragment {
  assertName(field);
  return { sql: `json_type(doc, '$.${field}') IS ${operand ? "NOT NULL" : "NULL"}`, values: [] };
}

/** SQLite reads JSON booleans as 1 and 0. */
function bindable(value: unknown): string | number | null {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  throw new TypeError(`A query compares with strings, numbers, booleans and null, not ${typeof value}`);
}

function join(parts: Fragment[], glue: string, empty: string): Fragment {
  if (parts.length === 0) return { sql: empty, values: [] };
  return { sql: `(${parts.map(part => part.sql).join(glue)})`, values: parts.flatMap(part => part.values) };
}
