import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { compileSchemaPattern } from "../text/expression.ts";
import { RequestBudget } from "../text/request-budget.ts";
import { type FieldError, isObject, type RefusalCode } from "./recipe.ts";

const maxBytes = 16_384;
const maxDepth = 10;
const maxProperties = 100;
const maxPatterns = 50;
const maxPatternLength = 512;
const types = new Set(["string", "number", "integer", "boolean", "null", "object", "array"]);
const dialects = /^https?:\/\/json-schema\.org\/(draft\/2020-12\/schema|draft-07\/schema)#?$/;
const unsafeNames = new Set(["__proto__", "constructor", "prototype"]);

/** The formats that are checked; the names of JSON Schema 2020-12 and of OpenAPI. */
const knownFormats = new Set(
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
  budget: RequestBudget;
}

/**
 * Whether a value is a JSON Schema (2020-12 or draft-07) that is taken for extraction: null when it is, else the first
 * error, its field below `path`. An object at the root; at most 16 KB, 10 levels, 100 properties; references inside the
 * document only; patterns in RE2 syntax, 512 characters and 50 in all. Runs nothing of the schema.
 * `budget`: what the expressions of the request may cost together.
 */
export function checkSchema(
  value: unknown,
  path = "schema",
  budget = new RequestBudget(),
): FieldError | null {
  if (!isObject(value)) return error(path, "type", "A JSON schema is an object.");
  if (Buffer.byteLength(JSON.stringify(value)) > maxBytes)
    return error(path, "too_large", "A JSON schema has at most 16 KB.");
  if (value.type !== undefined && value.type !== "object")
    return error(`${path}.type`, "type", "The root of a schema must have `type: object`.");
  if (value.$schema !== undefined && !dialects.test(String(value.$schema)))
    return error(`${path}.$schema`, "dialect", "Use JSON Schema 2020-12 or draft-07.");
  return checkNode(value, path, 1, { root: value, properties: 0, patterns: 0, budget });
}

function checkNode(node: unknown, path: string, depth: number, walk: Walk): FieldError | null {
  if (typeof node === "boolean") return null;
  if (!isObject(node)) return error(path, "type", "A schema is an object or a boolean.");
  if (depth > maxDepth) return error(path, "too_deep", `A schema has at most ${maxDepth} levels.`);
  return (
    checkReference(node, path, walk) ??
    checkValues(node, path) ??
    checkPattern(node.pattern, `${path}.pattern`, walk) ??
    checkChildren(node, path, depth, walk)
  );
}

function checkReference(node: Record<string, unknown>, path: string, walk: Walk): FieldError | null {
  for (const name of ["$dynamicRef", "$recursiveRef", "$dynamicAnchor", "$anchor", "$vocabulary"])
    if (node[name] !== undefined)
      return error(`${path}.${name}`, "reference", "This keyword is not supported.");
  if (node.$id !== undefined && node !== walk.root)
    return error(`${path}.$id`, "reference", "Only the root may have an $id.");
  if (node.$ref === undefined) return null;
  if (
    typeof node.$ref !== "string" ||
    !/^#(\/|$)/.test(node.$ref) ||
    !isObject(resolvePointer(walk.root, node.$ref))
  )
    return error(
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

function checkValues(node: Record<string, unknown>, path: string): FieldError | null {
  const errorOf = (name: string, message: string) => error(`${path}.${name}`, "keyword", message);
  if (node.type !== undefined && ![node.type].flat().every(type => types.has(String(type))))
    return errorOf("type", `Use one or more of ${[...types].join(", ")}.`);
  if (node.required !== undefined && !isTexts(node.required))
    return errorOf("required", "List property names.");
  if (
    node.enum !== undefined &&
    !(Array.isArray(node.enum) && node.enum.length > 0 && node.enum.length <= 500)
  )
    return errorOf("enum", "List 1 to 500 values.");
  for (const name of numbers)
    if (node[name] !== undefined && typeof node[name] !== "number") return errorOf(name, "Give a number.");
  for (const name of counts)
    if (node[name] !== undefined && !(Number.isInteger(node[name]) && Number(node[name]) >= 0))
      return errorOf(name, "Give a whole number from 0.");
  if (node.multipleOf !== undefined && Number(node.multipleOf) <= 0)
    return errorOf("multipleOf", "Give a number above 0.");
  if (node.uniqueItems !== undefined && typeof node.uniqueItems !== "boolean")
    return errorOf("uniqueItems", "Use true or false.");
  if (node.format !== undefined && !knownFormats.has(String(node.format)))
    return error(`${path}.format`, "format", `Use one of ${[...knownFormats].join(", ")}.`);
  return null;
}

function checkPattern(pattern: unknown, path: string, walk: Walk): FieldError | null {
  if (pattern === undefined) return null;
  walk.patterns += 1;
  if (typeof pattern !== "string" || pattern.length > maxPatternLength || walk.patterns > maxPatterns)
    return error(
      path,
      "invalid_pattern",
      `At most ${maxPatterns} patterns of ${maxPatternLength} characters.`,
    );
  try {
    compileSchemaPattern(pattern, walk.budget);
    return null;
  } catch (cause) {
    return error(path, "invalid_pattern", (cause as Error).message);
  }
}

function checkChildren(
  node: Record<string, unknown>,
  path: string,
  depth: number,
  walk: Walk,
): FieldError | null {
  for (const [name, value] of Object.entries(node)) {
    const at = `${path}.${name}`;
    const found = maps.includes(name)
      ? checkMap(name, value, at, depth, walk)
      : lists.includes(name) || (name === "items" && Array.isArray(value))
        ? checkList(value, at, depth, walk)
        : schemas.includes(name)
          ? checkNode(value, at, depth + 1, walk)
          : name === "dependencies" || name === "dependentRequired"
            ? error(at, "keyword", "Use dependentSchemas instead.")
            : null;
    if (found) return found;
  }
  return null;
}

function checkMap(
  keyword: string,
  value: unknown,
  path: string,
  depth: number,
  walk: Walk,
): FieldError | null {
  if (!isObject(value)) return error(path, "type", "This is an object of names and schemas.");
  for (const [name, schema] of Object.entries(value)) {
    if (unsafeNames.has(name) || name.length > 128)
      return error(path, "invalid_name", "A property name is not accepted.");
    if (keyword === "properties" || keyword === "patternProperties") walk.properties += 1;
    if (walk.properties > maxProperties)
      return error(path, "too_many", `A schema has at most ${maxProperties} properties.`);
    const found =
      (keyword === "patternProperties" ? checkPattern(name, path, walk) : null) ??
      checkNode(schema, `${path}.${name}`, depth + 1, walk);
    if (found) return found;
  }
  return null;
}

function checkList(value: unknown, path: string, depth: number, walk: Walk): FieldError | null {
  if (!Array.isArray(value) || value.length === 0) return error(path, "type", "This is a list of schemas.");
  for (const [index, schema] of value.entries()) {
    const found = checkNode(schema, `${path}.${index}`, depth + 1, walk);
    if (found) return found;
  }
  return null;
}

function error(field: string, code: RefusalCode, message: string): FieldError {
  return { field, code, message };
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(text => typeof text === "string");
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

export type Schema = Record<string, unknown>;

/** User patterns run in linear time (RE2), never by the backtracking engine. */
const linearRegExp = Object.assign(
  (pattern: string) => {
    const compiled = compileSchemaPattern(pattern);
    return { test: (text: string) => compiled.test(text) };
  },
  { code: "linearRegExp" },
);

const options: Options = {
  strict: false,
  logger: false,
  validateSchema: false,
  code: { regExp: linearRegExp },
  formats: fullFormats,
};

/** Where a value does not meet a schema; its code is the keyword. */
type Misfit = Omit<FieldError, "code"> & { code: string };

/**
 * Whether a value meets a schema that passed `checkSchema`: null when it does, else the first error. Compiles the
 * schema, which can take long for hostile ones: run it where it can be stopped.
 */
export function validate(schema: Schema, value: unknown): Misfit | null {
  const check = kept(keptValidators, schema, () => engine(schema).compile(withoutId(schema)));
  return check(value) ? null : toMisfit(check.errors?.[0]);
}

/** Checks values against parts of a schema: `pointer` is a JSON pointer such as `#/properties/price`. */
export function partChecker(schema: Schema): PartChecker {
  return kept(keptCheckers, schema, () => newPartChecker(schema));
}

type PartChecker = (pointer: string, value: unknown) => boolean;

/** A crawl asks many pages for the same. */
const maxKept = 20;
const keptValidators = new Map<string, ValidateFunction>();
const keptCheckers = new Map<string, PartChecker>();

function kept<Check>(checks: Map<string, Check>, schema: Schema, compile: () => Check): Check {
  const key = JSON.stringify(schema);
  const check = checks.get(key) ?? compile();
  if (checks.size >= maxKept) checks.clear();
  checks.set(key, check);
  return check;
}

function newPartChecker(schema: Schema): PartChecker {
  const ajv = engine(schema).addSchema(withoutId(schema), "root");
  const checks = new Map<string, (value: unknown) => unknown>();
  return (pointer, value) => {
    const check = checks.get(pointer) ?? ajv.compile({ $ref: `root${pointer}` });
    checks.set(pointer, check);
    return check(value) === true;
  };
}

function engine(schema: Schema): Ajv {
  return String(schema.$schema).includes("draft-07") ? new Ajv(options) : new Ajv2020(options);
}

/** Ajv resolves references against `$id`; ours are all local. */
function withoutId({ $id: _, ...schema }: Schema): Schema {
  return schema;
}

function toMisfit(found: ErrorObject | undefined): Misfit {
  const field = (found?.instancePath ?? "").slice(1).replaceAll("/", ".");
  return { field, code: found?.keyword ?? "schema", message: found?.message ?? "does not fit the schema" };
}
