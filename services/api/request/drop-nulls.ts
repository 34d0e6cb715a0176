import { isOptional } from "../openapi/json-schema.ts";

type Json = Record<string, unknown>;

/**
 * A body without the nulls of what may be left out. Clients send them for what they leave out and the validator lets
 * them pass, so that past the door a field would be there, missing, or null. A rule that says `nullable` keeps its null.
 */
export function dropNulls(rules: Json, body: Json): Json {
  const kept = Object.entries(body).filter(([name, value]) => value !== null || !mayBeLeftOut(rules[name]));
  return Object.fromEntries(kept.map(([name, value]) => [name, inner(rules[name], value)]));
}

function mayBeLeftOut(rule: unknown): boolean {
  return rule !== undefined && isOptional(rule) && (rule as Json).nullable === undefined;
}

/** The same in an object whose fields have rules; any other is the client's own. */
function inner(rule: unknown, value: unknown): unknown {
  const { props, properties = props } = Object(rule) as { props?: Json; properties?: Json };
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return properties && isObject ? dropNulls(properties, value as Json) : value;
}
