import type { Doc } from "../store.ts";
import { valueAt } from "./value-at.ts";

/** What of another type comes first, as MongoDB orders them. */
const ranks: Record<string, number> = { undefined: 0, number: 1, string: 2, object: 3, boolean: 4 };

/** Compares documents as the server sorts them; `sort` is a list of fields, with `-` for descending order. */
export function ordering(sort: string[]): (one: Doc, other: Doc) => number {
  const terms = sort.map(term =>
    term.startsWith("-") ? { path: term.slice(1), sign: -1 } : { path: term, sign: 1 },
  );
  return (one, other) => {
    for (const { path, sign } of terms) {
      const order = compare(valueAt(one, path), valueAt(other, path));
      if (order !== 0) return order * sign;
    }
    return 0;
  };
}

function compare(one: unknown, other: unknown): number {
  const difference = rank(one) - rank(other);
  if (difference !== 0) return difference;
  if (typeof one === "string" && typeof other === "string") return bytesOrder(one, other);
  return Number(one ?? 0) - Number(other ?? 0);
}

/** Servers compare strings by their bytes. */
export function bytesOrder(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function rank(value: unknown): number {
  return ranks[typeof (value ?? undefined)] ?? 3;
}
