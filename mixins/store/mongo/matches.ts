import type { Doc, Query } from "../store.ts";
import { bytesOrder } from "./order.ts";
import { valueAt } from "./value-at.ts";

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

/** Whether the server would find the document by the query, which `filterOf` has let pass. */
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

/** Values of different types do not compare. */
function differ(value: unknown, operand: unknown, test: (order: number) => boolean): boolean {
  if (typeof value === "number" && typeof operand === "number") return test(value - operand);
  return typeof value === "string" && typeof operand === "string" && test(bytesOrder(value, operand));
}
