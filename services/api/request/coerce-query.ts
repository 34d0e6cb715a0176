import type { ParamsSchema } from "../../contracts/action.ts";

/** Query parameters are text; those whose schema says number, boolean or array become that. The schema judges the rest. */
export function coerceQuery(
  query: Record<string, string | string[]>,
  schema: ParamsSchema,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, coerce(value, typeOf(schema, name))]),
  );
}

function typeOf(schema: ParamsSchema, name: string): unknown {
  const rule = Object.hasOwn(schema, name) ? schema[name] : undefined;
  return typeof rule === "string" ? rule.split("|")[0] : (rule as { type?: unknown } | undefined)?.type;
}

function coerce(value: string | string[], type: unknown): unknown {
  if (type === "array") return [value].flat();
  if (typeof value !== "string") return value;
  if (type === "number" && /^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return Number(value);
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}
