import { RequestBudget } from "../text/request-budget.ts";
import { checkCss } from "./check-selector.ts";
import { type Cut, cuts } from "./entries.ts";
import { type Reading, readings } from "./read-as.ts";
import { knownUnits, type UnitName } from "./units.ts";

/** What a value is read as. Absent: `string`. */
const valueTypes = ["string", "number", "integer", "boolean"] as const;
export type ValueType = (typeof valueTypes)[number];

/** Formats of JSON Schema that change how a text is read. */
const valueFormats = ["date", "date-time", "duration", "uri", "email"] as const;
export type ValueFormat = (typeof valueFormats)[number];

/**
 * Where one property comes from. At most one source: `selector`, `list`, `jsonld`, `microdata`, `meta`, `label`,
 * `column` or `count`. A field with `fields` and no source is an object read from the same place as its parent.
 */
export interface Field {
  /** CSS selector, relative to the surrounding item; the first match counts. `:scope` is the item itself. */
  selector?: string;
  /** CSS selector; every match gives one entry of an array. */
  list?: string;
  /**
   * With `list` and `fields`: entries that are no elements. `sections`: each match and its following siblings, up to the
   * next match or a higher heading. `columns`: the matches are tables, and each column after the first is an entry, a
   * table of label and value whose caption is the column's header.
   */
  cut?: Cut;
  /** With `selector` or `list`: CSS selector of parts inside whose text is left out. */
  except?: string;
  /** Path in JSON-LD, for example `Product.offers.price`; the leading type is optional. */
  jsonld?: string;
  /** Path in microdata or RDFa, written as for `jsonld`. */
  microdata?: string;
  /** `name` or `property` of a meta element. */
  meta?: string;
  /** The text before the value: a row header, a `dt`, or `Label:`. */
  label?: string;
  /** Inside table rows: the header of the cell's column. */
  column?: string;
  /** What the page counts: `comments` where it says `12 comments` or `Comments (12)`. */
  count?: string;
  /** With `selector` or `list`: the attribute that holds the value, instead of the text. */
  attribute?: string;
  /** What the text states: the rest of it is left out, and a text without such a thing is no value. */
  as?: Reading;
  /** With `selector`: the place of the part that counts, from 1, of a text like `Holm Rail · Norrvik · Full-time`. */
  part?: number;
  /** The unit of a number: the text may write it in another one of its dimension. */
  unit?: UnitName;
  type?: ValueType;
  format?: ValueFormat;
  /** The texts that the value may take; others are not values. */
  enum?: string[];
  /** With `jsonld`, `microdata`, `meta`, `label`, `column`: an array. Texts are split at commas. */
  many?: true;
  /** The value is null when nothing is found. */
  nullable?: true;
  /** Inside an array: entries without this property are left out. */
  required?: true;
  /** The properties of the object, or of each entry of the array. */
  fields?: Fields;
}

export type Fields = Record<string, Field>;

/** How to read a page into JSON: data only, so that it can be kept, sent, and sent back. */
export interface Recipe {
  version: 1;
  fields: Fields;
}

/** An offending place of a value that a user sent. */
export interface FieldError {
  /** Dotted path. */
  field: string;
  code: RefusalCode;
  message: string;
}

export type RefusalCode =
  | "attribute"
  | "dialect"
  | "empty"
  | "format"
  | "invalid_name"
  | "invalid_pattern"
  | "invalid_selector"
  | "keyword"
  | "not_allowed"
  | "reference"
  | "source"
  | "too_deep"
  | "too_large"
  | "too_long"
  | "too_many"
  | "type"
  | "unknown_field"
  | "version";

const sources = ["selector", "list", "jsonld", "microdata", "meta", "label", "column", "count"] as const;

const maxFields = 200;
const maxDepth = 6;
const maxText = 512;
const texts = new Set<string>([...sources, "attribute", "except"]);
const selectors = new Set(["selector", "list", "except"]);
const flags = new Set(["many", "nullable", "required"]);
const unsafeNames = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Whether a value is a recipe (`Recipe`): null when it is, else the first error, its field below `path`.
 * At most 200 fields, 6 levels, 512 characters a text; selectors must parse. `budget`: what the request may cost.
 */
export function checkRecipe(
  value: unknown,
  path = "recipe",
  budget = new RequestBudget(),
): FieldError | null {
  if (!isObject(value)) return fieldError(path, "type", "A recipe is an object with version and fields.");
  for (const name of Object.keys(value))
    if (name !== "version" && name !== "fields") return unknownName(path, name);
  if (value.version !== 1) return fieldError(`${path}.version`, "version", "The version of a recipe is 1.");
  return checkFields(value.fields, `${path}.fields`, 1, { fields: maxFields, budget });
}

/** What a recipe may still have. */
interface Left {
  fields: number;
  budget: RequestBudget;
}

function checkFields(value: unknown, path: string, depth: number, left: Left): FieldError | null {
  if (!isObject(value))
    return fieldError(path, "type", "Fields are an object of names and where to find them.");
  if (depth > maxDepth)
    return fieldError(path, "too_deep", `A recipe has at most ${maxDepth} levels of fields.`);
  const entries = Object.entries(value);
  if (entries.length === 0) return fieldError(path, "empty", "Name at least one field.");
  for (const [name, field] of entries) {
    if (unsafeNames.has(name) || name.length > 128)
      return fieldError(path, "invalid_name", "A field has a name that is not accepted.");
    left.fields -= 1;
    if (left.fields < 0) return fieldError(path, "too_many", `A recipe has at most ${maxFields} fields.`);
    const found = checkField(field, `${path}.${name}`, depth, left);
    if (found) return found;
  }
  return null;
}

function checkField(value: unknown, path: string, depth: number, left: Left): FieldError | null {
  if (!isObject(value))
    return fieldError(path, "type", "A field is an object, for example {selector: 'h1'}.");
  for (const [name, part] of Object.entries(value)) {
    const found = name === "fields" ? null : checkPart(name, part, path, left);
    if (found) return found;
  }
  return checkSources(value, path) ?? checkNested(value, path, depth, left);
}

function checkPart(name: string, value: unknown, path: string, left: Left): FieldError | null {
  const at = `${path}.${name}`;
  if (texts.has(name)) return checkText(name, value, at, left);
  if (flags.has(name))
    return value === true ? null : fieldError(at, "type", "Set it to true or leave it out.");
  if (name === "type") return oneOf(valueTypes, value, at);
  if (name === "as") return oneOf(readings, value, at);
  if (name === "cut") return oneOf(cuts, value, at);
  if (name === "format") return oneOf(valueFormats, value, at);
  if (name === "unit") return oneOf(knownUnits, value, at);
  if (name === "part") return checkPlace(value, at);
  if (name === "enum") return checkEnum(value, at);
  return unknownName(path, name);
}

function checkText(name: string, value: unknown, at: string, { budget }: Left): FieldError | null {
  if (typeof value !== "string" || value.trim() === "")
    return fieldError(at, "type", "Give a text that is not empty.");
  if (value.length > maxText) return fieldError(at, "too_long", `At most ${maxText} characters are allowed.`);
  const problem = selectors.has(name) ? checkCss(value, budget) : null;
  if (problem !== null) return fieldError(at, "invalid_selector", problem);
  if (name === "attribute" && !/^[A-Za-z_][\w:.-]*$/.test(value))
    return fieldError(at, "attribute", "This is not the name of an attribute.");
  return null;
}

const maxPart = 20;

function checkPlace(value: unknown, at: string): FieldError | null {
  const fits = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxPart;
  return fits ? null : fieldError(at, "type", `A place is a whole number from 1 to ${maxPart}.`);
}

function checkEnum(value: unknown, at: string): FieldError | null {
  const fits =
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= 100 &&
    value.every(text => typeof text === "string" && text.length <= maxText);
  return fits ? null : fieldError(at, "type", "An enum is a list of 1 to 100 texts.");
}

function checkSources(field: Record<string, unknown>, path: string): FieldError | null {
  const given = sources.filter(name => field[name] !== undefined);
  if (given.length > 1) return fieldError(path, "source", `Use one of ${given.join(", ")}, not several.`);
  if (given.length === 0 && field.fields === undefined)
    return fieldError(path, "source", `Say where the field is found: one of ${sources.join(", ")}.`);
  if (field.attribute !== undefined && !field.selector && !field.list)
    return fieldError(`${path}.attribute`, "source", "An attribute needs a selector or a list.");
  if (field.cut !== undefined && (!field.list || field.fields === undefined))
    return fieldError(`${path}.cut`, "source", "Entries are cut from a list that has fields.");
  if (field.part !== undefined && !field.selector)
    return fieldError(`${path}.part`, "source", "A part is taken of what a selector finds.");
  if (field.except !== undefined && !field.selector && !field.list)
    return fieldError(`${path}.except`, "source", "Parts are left out of what a selector finds.");
  return null;
}

function checkNested(
  field: Record<string, unknown>,
  path: string,
  depth: number,
  left: Left,
): FieldError | null {
  if (field.fields === undefined) return null;
  if (field.meta !== undefined || field.column !== undefined || field.count !== undefined)
    return fieldError(
      `${path}.fields`,
      "source",
      "A meta element, a column or a count has no fields of its own.",
    );
  return checkFields(field.fields, `${path}.fields`, depth + 1, left);
}

function oneOf(values: readonly string[], value: unknown, at: string): FieldError | null {
  return values.includes(String(value))
    ? null
    : fieldError(at, "not_allowed", `Use one of ${values.join(", ")}.`);
}

function unknownName(path: string, name: string): FieldError {
  return fieldError(`${path}.${name.slice(0, 64)}`, "unknown_field", "A recipe has no such part.");
}

function fieldError(field: string, code: RefusalCode, message: string): FieldError {
  return { field, code, message };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
