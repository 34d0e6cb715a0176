/** The costliest values that fields take, and some that cost more than they take. */
import type { Field } from "./fields.ts";

/** Bytes of a body, less than the megabyte that one may have. */
const bodyBytes = 900_000;
const usualLength = 2000;

/** A text of at most so many characters; `nth` makes it another one. */
type Text = (length: number, nth: number) => string;

const filled = (part: string, length: number) => part.repeat(Math.max(0, Math.floor(length / part.length)));
const nested = (open: string, length: number, levels = Number.POSITIVE_INFINITY) => {
  const count = Math.max(0, Math.min(levels, Math.floor((length - 1) / (open.length + 1))));
  return `${open.repeat(count)}a${")".repeat(count)}`;
};
/** In slashes, with another ending each. */
const slashed = (source: (length: number) => string): Text => {
  return (length, nth) => `/${source(length - 2 - `${nth}`.length)}${nth}/`;
};

const texts: Record<string, Text> = {
  plain: (length, nth) => `${nth}`.padEnd(length, "a").slice(0, length),
  words: (length, nth) => filled("ab ", length - 6) + nth,
  accents: (length, nth) => filled("é", length - 6) + nth,
};

const selectors: Record<string, Text> = {
  "many parts": (length, nth) => `${filled(".abc ", length - 6)}a${nth}`,
  "a long list": (length, nth) => `${filled("a,", length - 6)}a${nth}`,
  "nested as deep as is taken": (length, nth) => `${filled(nested(":not(", 60, 8), length - 6)}.a${nth}`,
  "nested deeper": (length, nth) => `${nested(":not(", length - 6)}.a${nth}`,
  "nested lists": (length, nth) => `${nested(":is(a,", length - 6)}.a${nth}`,
  "of XPath": (length, nth) => `${filled("//a|", length - 8)}//a${nth}`,
  "of nested XPath": (length, nth) => {
    const levels = Math.floor((length - 12) / 3);
    return `//${"a[".repeat(levels)}a${"]".repeat(levels)}[${nth}]`;
  },
};

const patterns: Record<string, Text> = {
  "counted repetitions": slashed(length => filled("a{0,999}", length)),
  "as many repetitions as are taken": slashed(() => "[ab].{0,120}[ab].{0,115}"),
  "classes of Unicode": slashed(length => `(?i)${filled("\\pL", length - 4)}`),
  "nested groups": slashed(length => nested("(", length)),
  "a long text": slashed(length => filled("ab|", length)),
};

const globs: Record<string, Text> = {
  "of asterisks": (length, nth) => `/**/${filled("a*", length - 10)}${nth}`,
  "of folders": (length, nth) => filled("/**/a", length - 6) + nth,
};

/** Fields of a kind of expression, by their names. */
const byName: [name: RegExp, Record<string, Text>][] = [
  [/selector|select|remove|include_tags|exclude_tags/, selectors],
  [/ignore|contains/, patterns],
  [/^include$|^exclude$/, { ...globs, ...patterns }],
];

/** A name, and what makes the value: all of them together would take half a gigabyte. */
type Filling = [name: string, make: () => unknown];

/** What to fill a field with. A list is filled with texts to its limit. */
export function fillingsOf({ path, kind, schema }: Field, itemLength: number | undefined): Filling[] {
  if (kind === "object") return Object.entries(objects).map(([name, value]) => [name, () => value]);
  if (kind === "record") return recordsOf(schema);
  const name = path.findLast(each => each !== "[]") ?? "";
  const own = Object.entries(byName.find(([pattern]) => pattern.test(name))?.[1] ?? texts);
  if (kind === "text") {
    const length = Math.min(schema.maxLength ?? bodyBytes, bodyBytes);
    return own.map(([value, text]) => [value, () => text(length, 1)]);
  }
  if (itemLength === undefined) return [];
  const length = Math.min(itemLength, usualLength);
  const count = Math.min(schema.maxItems ?? 100_000, Math.floor(bodyBytes / (length + 4)));
  return own.map(([value, text]) => [
    value,
    () => Array.from({ length: count }, (_, nth) => text(length, nth)),
  ]);
}

function recordsOf({ additionalProperties }: Field["schema"]): Filling[] {
  const longest: number = Object(additionalProperties).maxLength ?? 4096;
  const of = (count: number, length: number) => () => named(count, () => "v".repeat(length));
  return [
    ["many entries", of(Math.floor(bodyBytes / 14), 1)],
    ["long entries", of(Math.floor(bodyBytes / (longest + 12)), longest)],
    ["as many as are taken", of(50, longest)],
  ];
}

const schemaOf = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const named = (count: number, value: (nth: number) => unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => [`p${nth}`, value(nth)]));
const twice = (name: string) => ({ allOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }] });

/** Schemas and recipes. */
const objects: Record<string, unknown> = {
  "patterns of repetitions": schemaOf(
    named(27, () => ({ type: "string", pattern: filled("a{0,999}", 512) })),
  ),
  "patterns as large as are taken": schemaOf(
    named(4, nth => ({ type: "string", pattern: `^[a-z]{900}${nth}$` })),
  ),
  "patterns of classes": schemaOf(
    named(14, () => ({ type: "string", pattern: `(?i)${filled("\\pL", 500)}` })),
  ),
  "many properties": schemaOf(named(100, () => ({ type: ["string", "null"], format: "date-time" }))),
  "long lists of values": schemaOf(
    named(3, nth => ({ enum: Array.from({ length: 500 }, (_, at) => `${nth}.${at}`) })),
  ),
  "references that unfold": schemaOf(
    { a: { $ref: "#/$defs/d0" } },
    { $defs: Object.fromEntries(unfolding()) },
  ),
  "a ring of references": schemaOf({ a: { anyOf: [{ $ref: "#" }, { $ref: "#" }] } }),
  "nested too deep": deep(1000),
  "a recipe": {
    version: 1,
    fields: named(200, nth => ({
      list: `${filled(":not(.b)", 480)}.a${nth}`,
      except: `${filled("a,", 480)}a${nth}`,
    })),
  },
  "a recipe as large as is taken": {
    version: 1,
    fields: named(200, nth => ({ selector: `${filled(".abc ", 80)}.a${nth}` })),
  },
  "much text": schemaOf({ a: { description: "a".repeat(bodyBytes) } }),
};

function unfolding(): [string, unknown][] {
  const levels = 60;
  const inner = Array.from({ length: levels }, (_, nth): [string, unknown] => [
    `d${nth}`,
    twice(`d${nth + 1}`),
  ]);
  return [...inner, [`d${levels}`, { type: "string" }]];
}

function deep(levels: number): unknown {
  let value: unknown = { type: "string" };
  for (let level = 0; level < levels; level++) value = schemaOf({ a: value });
  return value;
}

/** For fields that are in no document. */
export const expressions = {
  objects: Object.entries(objects),
  patterns: Object.entries(patterns),
  selectors: Object.entries(selectors),
};
