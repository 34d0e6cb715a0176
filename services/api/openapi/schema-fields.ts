import { type Html, html } from "../guide/html.ts";
import { prose } from "./reference-lines.ts";

/** What is read of a JSON Schema (2020-12) of the document. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

export type Schemas = Record<string, Schema>;

/** How deep the fields of fields are written out. */
const deepest = 5;

/** The fields of an object as a list; what they contain opens below them. Empty where a schema has no fields. */
export function fieldList(schema: Schema, schemas: Schemas, depth = 0, above: string[] = []): Html | false {
  const { properties = {}, required = [] } = resolved(schema, schemas);
  const fields = Object.entries(properties);
  if (fields.length === 0) return false;
  return html`<ul class="fields">${fields.map(
    ([name, field]) =>
      html`<li>${fieldHead(name, field, required.includes(name), schemas)}${inner(field, schemas, depth, above)}</li>`,
  )}</ul>`;
}

/** A field's name, type and bounds in one line, and what it means. */
export function fieldHead(
  name: string,
  field: Schema,
  isRequired: boolean,
  schemas: Schemas,
  place = "",
): Html {
  const facts = [
    place,
    typeOf(field, schemas),
    isRequired && "required",
    ...boundsOf(resolved(field, schemas)),
  ];
  const description = field.description ?? resolved(field, schemas).description;
  return html`<p class="field"><code>${name}</code> <span>${facts.filter(Boolean).join(" · ")}</span></p>${
    description !== undefined && prose(description)
  }`;
}

/** The fields of what a field, an item or a choice of it is. */
function inner(field: Schema, schemas: Schemas, depth: number, above: string[]): Html[] {
  return objectsIn(field, schemas)
    .filter(({ $ref }) => depth < deepest && ($ref === undefined || !above.includes($ref)))
    .flatMap(each => {
      const list = fieldList(
        each,
        schemas,
        depth + 1,
        each.$ref === undefined ? above : [...above, each.$ref],
      );
      const name = each.$ref === undefined ? "its fields" : nameOf(each.$ref);
      return list ? html`<details><summary>${name}</summary>${list}</details>` : [];
    });
}

function objectsIn(field: Schema, schemas: Schemas): Schema[] {
  const { anyOf, oneOf, items, additionalProperties, properties } = resolved(field, schemas);
  if (properties) return [field];
  const others = [
    ...(anyOf ?? oneOf ?? []),
    ...(items ? [items] : []),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ];
  return others.flatMap(each => objectsIn(each, schemas));
}

export function resolved(schema: Schema, schemas: Schemas): Schema {
  return schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? {});
}

export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

/** A type in words: `text`, `list of numbers`, `"a" or "b"`. */
export function typeOf(schema: Schema, schemas: Schemas): string {
  const { const: only, enum: values, anyOf, oneOf, items, type, format } = resolved(schema, schemas);
  if (only !== undefined) return JSON.stringify(only);
  if (values) return values.map(value => JSON.stringify(value)).join(" or ");
  const choices = anyOf ?? oneOf;
  if (choices && !type) return [...new Set(choices.map(each => typeOf(each, schemas)))].join(" or ");
  if (items) return `list of ${typeOf(items, schemas)}${[type].flat().includes("null") ? " or null" : ""}`;
  const names = [type].flat().map(each => (each === "string" ? (format ?? "string") : each));
  return names.filter(each => each !== undefined).join(" or ") || "any value";
}

function boundsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  return [
    between(minimum, maximum, ""),
    between(minLength === 1 ? undefined : minLength, maxLength, " characters"),
    between(minItems, maxItems, " entries"),
    pattern === undefined ? "" : `like ${pattern}`,
    schema.default === undefined ? "" : `default ${JSON.stringify(schema.default)}`,
  ];
}

function between(least: number | undefined, most: number | undefined, unit: string): string {
  const write = (value: number) => value.toLocaleString("en");
  if (least !== undefined && most !== undefined) return `${write(least)} to ${write(most)}${unit}`;
  if (most !== undefined) return `at most ${write(most)}${unit}`;
  return least === undefined ? "" : `at least ${write(least)}${unit}`;
}
