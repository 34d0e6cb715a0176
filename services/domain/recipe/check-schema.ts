import { RE2JS } from "re2js";
import type { Fault } from "./recipe.ts";

const maxBytes = 16_384;
const maxDepth = 10;
const maxProperties = 100;
const maxPatterns = 50;
const maxPatternLength = 512;
const types = new Set(["string", "number", "integer", "boolean", "null", "object", "array"]);
const dialects = /^https?:\/\/json-schema\.org\/(draft\/2020-12\/schema|draft-07\/schema)#?$/;
const unsafeNames = new Set(["__proto__", "constructor", "prototype"]);

/** The formats that are checked; the names of JSON Schema 2020-12 and of OpenAPI. */
export const knownFormats = new Set(
  (
    "date time date-time iso-time iso-date-time duration uri uri-reference uri-template url email hostname ipv4 ipv6 " +
    "regex uuid json-pointer relative-json-pointer byte int32 int64 float double password binary"
  ).split(" "),
);

const single = ["additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"];
const schemas = [...single, "items", "contains", "propertyNames", "not", "if", "then", "else"];
const lists = ["allOf", "anyOf", "oneOf", "prefixItems"];
const maps = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const numbers = "maximum minimum exclusiveMaximum exclusiveMinimum multipleOf".split(" ");
const counts =
  "maxLength minLength maxItems minItems maxProperties minProperties maxContains minContains".split(" ");

interface Walk {
  root: unknown;
  properties: number;
  patterns: number;
}

/**
 * Whether a value is a JSON Schema (2020-12 or draft-07) that is taken for extraction: null when it is, else the first
 * fault, its field below `path`. An object at the root; at most 16 KB, 10 levels, 100 properties; references inside the
 * document only; patterns in RE2 syntax, 512 characters and 50 in all. Runs nothing of the schema.
 */
export function checkSchema(value: unknown, path = "output.json.json_schema"): Fault | null {
  if (!isObject(value)) return fault(path, "type", "A JSON schema is an object.");
  if (Buffer.byteLength(JSON.stringify(value)) > maxBytes)
    return fault(path, "size", "A JSON schema has at most 16 KB.");
  if (value.type !== undefined && value.type !== "object")
    return fault(`${path}.type`, "type", "The root of the schema has the type object.");
  if (value.$schema !== undefined && !dialects.test(String(value.$schema)))
    return fault(`${path}.$schema`, "dialect", "Use JSON Schema 2020-12 or draft-07.");
  return checkNode(value, path, 1, { root: value, properties: 0, patterns: 0 });
}

function checkNode(node: unknown, path: string, depth: number, walk: Walk): Fault | null {
  if (typeof node === "boolean") return null;
  if (!isObject(node)) return fault(path, "type", "A schema is an object or a boolean.");
  if (depth > maxDepth) return fault(path, "depth", `A schema has at most ${maxDepth} levels.`);
  return (
    checkReference(node, path, walk) ??
    checkValues(node, path) ??
    checkPattern(node.pattern, `${path}.pattern`, walk) ??
    checkChildren(node, path, depth, walk)
  );
}

function checkReference(node: Record<string, unknown>, path: string, walk: Walk): Fault | null {
  for (const name of ["$dynamicRef", "$recursiveRef", "$dynamicAnchor", "$anchor", "$vocabulary"])
    if (node[name] !== undefined)
      return fault(`${path}.${name}`, "reference", "This keyword is not supported.");
  if (node.$id !== undefined && node !== walk.root)
    return fault(`${path}.$id`, "reference", "Only the root may have an $id.");
  if (node.$ref === undefined) return null;
  if (
    typeof node.$ref !== "string" ||
    !/^#(\/|$)/.test(node.$ref) ||
    !isObject(resolvePointer(walk.root, node.$ref))
  )
    return fault(
      `${path}.$ref`,
      "reference",
      "Only references inside the schema work, such as #/$defs/name.",
    );
  return null;
}

/** The part of a schema that `#/a/b` points to (RFC 6901), or undefined. */
export function resolvePointer(root: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .map(part => decode(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((at, part) => (isContainer(at) && Object.hasOwn(at, part) ? at[part] : undefined), root);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function checkValues(node: Record<string, unknown>, path: string): Fault | null {
  const faultOf = (name: string, message: string) => fault(`${path}.${name}`, "keyword", message);
  if (node.type !== undefined && ![node.type].flat().every(type => types.has(String(type))))
    return faultOf("type", `Use one or more of ${[...types].join(", ")}.`);
  if (node.required !== undefined && !isTexts(node.required))
    return faultOf("required", "List property names.");
  if (
    node.enum !== undefined &&
    !(Array.isArray(node.enum) && node.enum.length > 0 && node.enum.length <= 500)
  )
    return faultOf("enum", "List 1 to 500 values.");
  for (const name of numbers)
    if (node[name] !== undefined && typeof node[name] !== "number") return faultOf(name, "Give a number.");
  for (const name of counts)
    if (node[name] !== undefined && !(Number.isInteger(node[name]) && Number(node[name]) >= 0))
      return faultOf(name, "Give a whole number from 0.");
  if (node.multipleOf !== undefined && Number(node.multipleOf) <= 0)
    return faultOf("multipleOf", "Give a number above 0.");
  if (node.uniqueItems !== undefined && typeof node.uniqueItems !== "boolean")
    return faultOf("uniqueItems", "Use true or false.");
  if (node.format !== undefined && !knownFormats.has(String(node.format)))
    return fault(`${path}.format`, "format", `Use one of ${[...knownFormats].join(", ")}.`);
  return null;
}

function checkPattern(pattern: unknown, path: string, walk: Walk): Fault | null {
  if (pattern === undefined) return null;
  walk.patterns += 1;
  if (typeof pattern !== "string" || pattern.length > maxPatternLength || walk.patterns > maxPatterns)
    return fault(path, "pattern", `At most ${maxPatterns} patterns of ${maxPatternLength} characters.`);
  try {
    RE2JS.compile(RE2JS.translateRegExp(pattern));
    return null;
  } catch {
    return fault(path, "pattern", "Patterns take RE2 syntax: no look-around, no back-references.");
  }
}

function checkChildren(node: Record<string, unknown>, path: string, depth: number, walk: Walk): Fault | null {
  for (const [name, value] of Object.entries(node)) {
    const at = `${path}.${name}`;
    const found = maps.includes(name)
      ? checkMap(name, value, at, depth, walk)
      : lists.includes(name) || (name === "items" && Array.isArray(value))
        ? checkList(value, at, depth, walk)
        : schemas.includes(name)
          ? checkNode(value, at, depth + 1, walk)
          : name === "dependencies" || name === "dependentRequired"
            ? fault(at, "keyword", "Use dependentSchemas instead.")
            : null;
    if (found) return found;
  }
  return null;
}

function checkMap(keyword: string, value: unknown, path: string, depth: number, walk: Walk): Fault | null {
  if (!isObject(value)) return fault(path, "type", "This is an object of names and schemas.");
  for (const [name, schema] of Object.entries(value)) {
    if (unsafeNames.has(name) || name.length > 128)
      return fault(path, "name", "A property name is not accepted.");
    if (keyword === "properties" || keyword === "patternProperties") walk.properties += 1;
    if (walk.properties > maxProperties)
      return fault(path, "count", `A schema has at most ${maxProperties} properties.`);
    const found =
      (keyword === "patternProperties" ? checkPattern(name, path, walk) : null) ??
      checkNode(schema, `${path}.${name}`, depth + 1, walk);
    if (found) return found;
  }
  return null;
}

function checkList(value: unknown, path: string, depth: number, walk: Walk): Fault | null {
  if (!Array.isArray(value) || value.length === 0) return fault(path, "type", "This is a list of schemas.");
  for (const [index, schema] of value.entries()) {
    const found = checkNode(schema, `${path}.${index}`, depth + 1, walk);
    if (found) return found;
  }
  return null;
}

function fault(field: string, code: string, message: string): Fault {
  return { field, code, message };
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(text => typeof text === "string");
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return isContainer(value) && !Array.isArray(value);
}
