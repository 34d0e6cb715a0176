import { isObject } from "../recipe/recipe.ts";
import { evaluateJsonPath } from "./json-path.ts";

/** A value of a document, and where it is: `items[id=7].price`. Lists of single values are one value. */
export interface PlacedValue {
  path: string;
  value: unknown;
}

/** Reads JSON, also of lines. Whole numbers that JavaScript would round, and those that it has none for, stay as texts. */
export function parseExactJson(text: string): unknown {
  return parseJson(text, exact as Parameters<typeof JSON.parse>[1]);
}

/** Lines of JSON that are read. */
const maxLines = 100_000;

/** Reads JSON, also of lines; undefined for what is none. */
export function parseJson(given: string, reviver?: Parameters<typeof JSON.parse>[1]): unknown {
  // Some services put a line before their JSON that keeps scripts of other sites from running it.
  const text = given.replace(/^\ufeff?\s*\)\]\}'?,?\s*\n/, "").replace(/^\ufeff/, "");
  const whole = parsed(text, reviver);
  if (whole !== undefined) return whole;
  const lines = text.split("\n", maxLines).filter(line => line.trim() !== "");
  const values = lines.length > 1 ? lines.flatMap(line => parsed(line, reviver) ?? []) : [];
  return values.length * 2 > lines.length ? values : undefined;
}

function parsed(text: string, reviver: Parameters<typeof JSON.parse>[1]): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    // JSON lines, or no JSON at all.
    return undefined;
  }
}

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;

const exact: Reviver = (_, value, { source = "" }) => {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  return Number.isFinite(value) && !/^-?\d{16,}$/.test(source) ? value : source;
};

/** All single values of what JSONPaths find in a document, each once, in the order in which they are found. */
export function jsonValues(document: unknown, paths: readonly string[]): PlacedValue[] {
  const values = new Map<string, unknown>();
  const labels = new Labels();
  for (const path of paths)
    for (const { location, value } of evaluateJsonPath(path, document))
      collect(labels.pathOf(document, location), value, labels, values);
  return [...values].map(([path, value]) => ({ path: path === "" ? "document" : path, value }));
}

function collect(path: string, value: unknown, labels: Labels, values: Map<string, unknown>): void {
  if (Array.isArray(value) && value.some(isNested)) {
    const names = labels.of(value);
    for (const [at, entry] of value.entries()) collect(`${path}${names[at]}`, entry, labels, values);
  } else if (isObject(value) && Object.keys(value).length > 0) {
    for (const [name, part] of Object.entries(value))
      collect(`${path}${step(name, path)}`, part, labels, values);
  } else {
    values.set(path, value);
  }
}

function isNested(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Names by which APIs tell the entries of a list apart, in lower case. */
const idNames = ["id", "_id", "@id", "uuid", "guid", "key", "sku", "slug", "code"];
const maxIdLength = 100;

/** The entries of lists as steps of a path: by their ids where they have one, so that one that comes or goes moves none. */
class Labels {
  readonly #known = new WeakMap<readonly unknown[], string[]>();

  of(list: readonly unknown[]): string[] {
    const known = this.#known.get(list);
    if (known) return known;
    const counts = new Map<string, number>();
    const labels = list.map((entry, at) => {
      const label = idOf(entry) ?? String(at);
      const count = (counts.get(label) ?? 0) + 1;
      counts.set(label, count);
      return count === 1 ? `[${label}]` : `[${label}~${count}]`;
    });
    this.#known.set(list, labels);
    return labels;
  }

  pathOf(document: unknown, location: readonly (string | number)[]): string {
    let [path, value] = ["", document as never] as [string, never];
    for (const name of location) {
      path += typeof name === "number" ? (this.of(value)[name] ?? "") : step(name, path);
      value = value[name];
    }
    return path;
  }
}

/** `id=7`; undefined for an entry without an id. */
function idOf(entry: unknown): string | undefined {
  if (!isObject(entry)) return undefined;
  const names = Object.keys(entry);
  for (const wanted of idNames) {
    const name = names.find(each => each.toLowerCase() === wanted);
    const id = name === undefined ? undefined : entry[name];
    if (typeof id === "number" || (typeof id === "string" && id !== "" && id.length <= maxIdLength))
      return `${name}=${String(id).replace(/\s+/g, " ")}`;
  }
  return undefined;
}

function step(name: string, before: string): string {
  if (!/^[\p{L}_$@][\p{L}\p{N}_$@-]*$/u.test(name)) return `[${JSON.stringify(name)}]`;
  return before === "" ? name : `.${name}`;
}
