import { fail, invalid } from "../../contracts/errors.ts";

const maxDepth = 32;
const forbiddenNames = new Set(["__proto__", "constructor", "prototype"]);

/** Holds a parsed body to what is safe to work on: an object, nested 32 deep at most, with no name that reaches a prototype. */
export function checkJson(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw fail("validation_failed", "The body must be a JSON object.", {
      details: [{ field: "", code: "object", message: "The body must be a JSON object." }],
    });
  walk(value, 1);
  return value as Record<string, unknown>;
}

/** Whether a name would reach a prototype when it is copied onto another object. */
export function isForbiddenName(name: string): boolean {
  return forbiddenNames.has(name);
}

function walk(value: object, depth: number): void {
  if (depth > maxDepth)
    throw fail("validation_failed", `The body may be nested ${maxDepth} levels deep at most.`, {
      details: [{ field: "", code: "too_deep", message: `At most ${maxDepth} levels are taken.` }],
    });
  if (!Array.isArray(value))
    for (const name of Object.keys(value))
      if (forbiddenNames.has(name))
        throw invalid(
          name,
          "forbidden_name",
          "A field may not be named __proto__, constructor or prototype.",
        );
  for (const inner of Object.values(value))
    if (typeof inner === "object" && inner !== null) walk(inner, depth + 1);
}
