import { invalid } from "../../contracts/errors.ts";

const maxDepth = 32;
// The validator names each fault of each member, and breaks down at some 100,000 faults.
const maxMembers = 10_000;
const forbiddenNames = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Holds a parsed body to what is safe to work on: an object, nested 32 deep at most, 10,000 members in each list or
 * object, no name that reaches a prototype, and no text without a UTF-8 form (RFC 8259, 8.2): half a surrogate pair is
 * stored as another text than the one that it is looked up by.
 */
export function checkJson(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid("", "object", "The body must be a JSON object.");
  walk(value, 1);
  return value as Record<string, unknown>;
}

/** Whether a name would reach a prototype when it is copied onto another object. */
export function isForbiddenName(name: string): boolean {
  return forbiddenNames.has(name);
}

function walk(value: object, depth: number): void {
  if (depth > maxDepth)
    throw invalid("", "too_deep", `The body may be nested ${maxDepth} levels deep at most.`);
  const members = Object.entries(value);
  if (members.length > maxMembers)
    throw invalid("", "too_many", `A list or an object may have ${maxMembers} members at most.`);
  for (const [name, inner] of members) {
    if (!Array.isArray(value)) checkName(name);
    if (typeof inner === "string") checkText(inner, name);
    else if (typeof inner === "object" && inner !== null) walk(inner, depth + 1);
  }
}

function checkName(name: string): void {
  if (isForbiddenName(name))
    throw invalid(name, "forbidden_name", "A field may not be named __proto__, constructor or prototype.");
  checkText(name, "");
}

function checkText(text: string, field: string): void {
  if (!text.isWellFormed())
    throw invalid(field.slice(0, 128), "ill_formed_text", "The body holds half of a surrogate pair.");
}
