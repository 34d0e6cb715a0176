/**
 * Documents may hold what was read elsewhere, such as the fields of a watched API, so any text may be a name in them. A few
 * names mean something to MongoDB's driver or cannot be written: those are stored as JSON behind a mark.
 */

type Rename = (name: string) => string;

/** The first character of private use, with which no name begins that means something. */
const mark = "\ue000";

/** `_bsontype` is how the driver knows its own types, `$ref` makes a `DBRef` of an object, and a null byte ends a name. */
function isUnsafe(name: string): boolean {
  return name === "_bsontype" || name === "$ref" || name.startsWith(mark) || name.includes("\0");
}

/** A value as it can be stored; the same one where all of its names can. */
export function withSafeNames<Value>(value: Value): Value {
  const safe: Rename = name => (isUnsafe(name) ? mark + JSON.stringify(name) : name);
  return hasName(value, isUnsafe) ? (renamed(value, safe) as Value) : value;
}

/** A stored value with its own names. */
export function withOwnNames<Value>(value: Value): Value {
  const isMarked = (name: string) => name.startsWith(mark);
  const own: Rename = name => (isMarked(name) ? JSON.parse(name.slice(mark.length)) : name);
  return hasName(value, isMarked) ? (renamed(value, own) as Value) : value;
}

function hasName(value: unknown, isWanted: (name: string) => boolean): boolean {
  if (Array.isArray(value)) return value.some(each => hasName(each, isWanted));
  if (!isRecord(value)) return false;
  return Object.entries(value).some(([name, each]) => isWanted(name) || hasName(each, isWanted));
}

function renamed(value: unknown, rename: Rename): unknown {
  if (Array.isArray(value)) return value.map(each => renamed(each, rename));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => [rename(name), renamed(each, rename)]);
  return Object.fromEntries(entries);
}

/** An object of JSON, and none of the driver's. */
function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
