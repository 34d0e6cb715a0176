/** The fields of an OpenAPI document that take a text, a list or an object of the client's choice. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  pattern?: string;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

interface Parameter {
  name: string;
  in: string;
  schema: Schema;
}

export interface Operation {
  parameters?: Parameter[];
  security?: Record<string, unknown>[];
  requestBody?: {
    content: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>;
  };
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** A field of a body. */
export interface Field {
  /** Names from the body down; `[]` is each item of a list. */
  path: string[];
  kind: "text" | "list" | "record" | "object";
  schema: Schema;
}

const mostLevels = 12;

/** The fields below a schema, each path once. */
export function fieldsOf(document: Document, body: Schema): Field[] {
  const found = new Map<string, Field>();
  const walk = (schema: Schema, path: string[]): void => {
    if (path.length > mostLevels) return;
    const { anyOf = [], oneOf = [], allOf = [], properties = {}, items, ...own } = resolve(document, schema);
    for (const each of [...anyOf, ...oneOf, ...allOf]) walk(each, path);
    const kind = kindOf({ ...own, properties });
    if (kind && path.length > 0) found.set(`${path} ${kind}`, { path, kind, schema: own });
    if (items) walk(items, [...path, "[]"]);
    for (const [name, each] of Object.entries(properties)) walk(each, [...path, name]);
  };
  walk(body, []);
  return [...found.values()];
}

export function resolve(document: Document, schema: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : resolve(document, document.components.schemas[name] ?? {});
}

function kindOf({ type, additionalProperties, properties, ...schema }: Schema): Field["kind"] | undefined {
  if (schema.enum !== undefined || schema.const !== undefined) return undefined;
  const types = [type].flat();
  if (types.includes("string")) return "text";
  if (types.includes("array")) return "list";
  if (!types.includes("object") || Object.keys(properties ?? {}).length > 0) return undefined;
  return typeof additionalProperties === "object" && additionalProperties.type ? "record" : "object";
}

/** A small value that a schema takes, so that what is beside a filled field does not refuse the request. */
export function smallest(document: Document, schema: Schema): unknown {
  const { anyOf, oneOf, type, properties = {}, required = [], ...own } = resolve(document, schema);
  const [variant] = anyOf ?? oneOf ?? [];
  if (variant) return smallest(document, variant);
  if (own.const !== undefined) return own.const;
  if (own.enum) return own.enum[0];
  const [first] = [type].flat();
  if (first === "string") return "a";
  if (first === "number" || first === "integer") return own.minimum ?? 1;
  if (first === "boolean") return false;
  if (first === "array") return own.items ? [smallest(document, own.items)] : [];
  const entries = required.map(name => [name, smallest(document, properties[name] ?? {})]);
  return Object.fromEntries(entries);
}

/** The body with a value at a path. What is missing on the way there is made as small as its schema takes it. */
export function withValue(
  document: Document,
  schema: Schema,
  body: unknown,
  [name, ...rest]: string[],
  value: unknown,
): unknown {
  if (name === undefined) return value;
  const variants = variantsOf(document, schema);
  if (name === "[]") {
    const items = variants.find(each => each.items)?.items ?? {};
    const list =
      Array.isArray(value) && rest.length === 0
        ? value
        : [withValue(document, items, undefined, rest, value)];
    return list;
  }
  const within = variants.find(({ properties }) => properties?.[name]) ?? {};
  const whole = isObject(body) ? body : (smallest(document, within) as Record<string, unknown>);
  const inner = within.properties?.[name] ?? {};
  return { ...whole, [name]: withValue(document, inner, whole[name], rest, value) };
}

function variantsOf(document: Document, schema: Schema): Schema[] {
  const resolved = resolve(document, schema);
  const { anyOf = [], oneOf = [], allOf = [] } = resolved;
  return [resolved, ...[...anyOf, ...oneOf, ...allOf].flatMap(each => variantsOf(document, each))];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
