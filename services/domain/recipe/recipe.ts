/** What a value is read as. Absent: `string`. */
export const valueTypes = ["string", "number", "integer", "boolean"] as const;
export type ValueType = (typeof valueTypes)[number];

/** Formats of JSON Schema that change how a text is read. */
export const valueFormats = ["date", "date-time", "uri", "email"] as const;
export type ValueFormat = (typeof valueFormats)[number];

/**
 * Where one property comes from. At most one source: `selector`, `list`, `jsonld`, `microdata`, `meta`, `label` or
 * `column`. A field with `fields` and no source is an object read from the same place as its parent.
 */
export interface Field {
  /** CSS selector, relative to the surrounding item; the first match counts. `:scope` is the item itself. */
  selector?: string;
  /** CSS selector; every match gives one entry of an array. */
  list?: string;
  /** Path in JSON-LD, for example `Product.offers.price`; the leading type is optional. */
  jsonld?: string;
  /** Path in microdata or RDFa, written as for `jsonld`. */
  microdata?: string;
  /** `name` or `property` of a meta element. */
  meta?: string;
  /** The text that stands before the value: a row header, a `dt`, or `Label:`. */
  label?: string;
  /** Inside table rows: the header of the cell's column. */
  column?: string;
  /** With `selector` or `list`: the attribute that holds the value, instead of the text. */
  attribute?: string;
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

/** One offending place of a value that a user sent. */
export interface Fault {
  /** Dotted path. */
  field: string;
  code: string;
  message: string;
}

export const sources = ["selector", "list", "jsonld", "microdata", "meta", "label", "column"] as const;
