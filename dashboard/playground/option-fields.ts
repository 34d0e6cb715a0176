/**
 * Makes form fields for the options of an operation from the JSON Schema of its body in the OpenAPI document. A new option of
 * the service gets its field without a change here.
 */

/** The keywords of JSON Schema that are read. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
}

/**
 * How the value of a field is typed. `lines`: one string per line; `pairs`: `name: value` per line, or JSON; `json`: any JSON;
 * `prose`: text of several lines.
 */
export type FieldKind =
  | "text"
  | "prose"
  | "number"
  | "switch"
  | "choice"
  | "choices"
  | "lines"
  | "pairs"
  | "json";

export interface Field {
  /** The names from the body to the option, joined by dots: `output.formats`. */
  path: string;
  /** The last of the names. */
  name: string;
  kind: FieldKind;
  required: boolean;
  description: string;
  /** The value that the service takes when the option is absent; undefined when it has none. */
  preset: unknown;
  /** The values of `choice` and `choices`; empty for other kinds. */
  values: string[];
  min?: number;
  max?: number;
  maxLength?: number;
  pattern?: string;
}

export interface Group {
  /** The name of the object in the body; empty for options outside of objects. */
  name: string;
  description: string;
  fields: Field[];
}

/** Text that is longer than this gets a field of several lines. */
const proseFrom = 2049;

/** The schemas of a document, by name. */
export type NamedSchemas = Readonly<Record<string, Schema>>;

/**
 * Replaces references in a schema by the schemas that they name. An object that may also be null is taken for the object: an
 * option that is left out means the same.
 */
export function writtenOut(schema: Schema, named: NamedSchemas): Schema {
  const { $ref, anyOf, ...own } = schema;
  const target = $ref === undefined ? undefined : named[$ref.slice($ref.lastIndexOf("/") + 1)];
  if (target) return { ...writtenOut(target, named), ...own };
  const [only, another] = anyOf?.filter(({ type }) => type !== "null") ?? [];
  if (only && !another) return { ...writtenOut(only, named), ...own };
  const properties = Object.entries(own.properties ?? {}).map(([name, each]) => [
    name,
    writtenOut(each, named),
  ]);
  return {
    ...own,
    ...(own.properties ? { properties: Object.fromEntries(properties) } : {}),
    ...(own.items ? { items: writtenOut(own.items, named) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(each => writtenOut(each, named)) } : {}),
  };
}

/** Groups the fields of a body: first its own values, then a group for each object in it. */
export function groupsOf(body: Schema): Group[] {
  const required = new Set(body.required ?? []);
  const own: Group = { name: "", description: "", fields: [] };
  const groups = [own];
  for (const [name, schema] of Object.entries(body.properties ?? {})) {
    if (schema.properties)
      groups.push({ name, description: schema.description ?? "", fields: fieldsBelow(schema, name) });
    else own.fields.push(fieldOf(schema, name, required.has(name)));
  }
  return groups.filter(({ fields }) => fields.length > 0);
}

function fieldsBelow(schema: Schema, path: string): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, each]) => {
    const below = `${path}.${name}`;
    return each.properties ? fieldsBelow(each, below) : [fieldOf(each, below, false)];
  });
}

function fieldOf(schema: Schema, path: string, required: boolean): Field {
  const kind = kindOf(schema);
  const values = kind === "choices" ? schema.items?.enum : schema.enum;
  return {
    path,
    name: path.slice(path.lastIndexOf(".") + 1),
    kind,
    required,
    description: schema.description ?? "",
    preset: schema.default,
    values: (values ?? []).filter(value => typeof value === "string"),
    ...(schema.minimum === undefined ? {} : { min: schema.minimum }),
    ...(schema.maximum === undefined ? {} : { max: schema.maximum }),
    ...(schema.maxLength === undefined ? {} : { maxLength: schema.maxLength }),
    ...(schema.pattern === undefined ? {} : { pattern: schema.pattern }),
  };
}

function kindOf(schema: Schema): FieldKind {
  if (schema.enum) return "choice";
  if (schema.anyOf) return schema.anyOf.some(isTextMap) ? "pairs" : "json";
  if (has(schema, "boolean")) return "switch";
  if (has(schema, "integer") || has(schema, "number")) return "number";
  if (has(schema, "string")) return (schema.maxLength ?? 0) >= proseFrom ? "prose" : "text";
  if (has(schema, "array")) return kindOfList(schema.items);
  return isTextMap(schema) ? "pairs" : "json";
}

function kindOfList(items: Schema = {}): FieldKind {
  if (items.enum) return "choices";
  return has(items, "string") ? "lines" : "json";
}

function isTextMap({ additionalProperties }: Schema): boolean {
  return typeof additionalProperties === "object" && has(additionalProperties, "string");
}

function has({ type }: Schema, name: string): boolean {
  return Array.isArray(type) ? type.includes(name) : type === name;
}
