import type { Route } from "./route.ts";

/** The answer of a list, with one row as its example. */
export function page(description: string, example: Record<string, unknown>): Route["responses"] {
  return { 200: { description, example: { data: [example], next_cursor: null, message: "Listed." } } };
}
