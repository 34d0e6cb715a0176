import { isObject } from "../../../reader/recipe/recipe.ts";
import { resolvePointer, type Schema, validate } from "../../../reader/recipe/schema.ts";
import { isIn, numbersIn, plain } from "./page-words.ts";
import { join, type Place, quoteFor, quotesIn } from "./quotes.ts";

/** What a model answered: values, and for those that are not words of the page the words that they rest on. */
export interface ModelAnswer {
  values: unknown;
  quotes: unknown;
}

/** `quotes`, `dropped`: by the dotted paths of values. `isEmpty`: the model itself has found nothing. */
export type CheckedValues =
  | { ok: true; json: Record<string, unknown>; quotes: Record<string, string>; dropped: string[] }
  | { ok: false; reason: string; isEmpty?: true };

/**
 * Checks the values of a model against the schema and the text that it was given. A text or a number must rest on the page:
 * be on it, or have a quote that is and that says enough. One that does not is left out. A boolean, and a text that the schema lists, is a
 * judgement and needs no quote. What the schema does not name is left out. `known`: what selectors found, which stays.
 * Compiles the schema: call it in a worker thread.
 */
export function checkValues(
  { values, quotes }: ModelAnswer,
  text: string,
  schema: Schema | undefined,
  known: Record<string, unknown> = {},
): CheckedValues {
  const check = new Check(text, quotes, schema);
  const kept = check.keep(values, schema, { path: "" }, 0);
  if (!isObject(kept) || isEmpty(kept))
    return check.dropped.length > 0
      ? { ok: false, reason: unquoted(check.dropped) }
      : { ok: false, reason: "`values` holds no value.", isEmpty: true };
  const json = { ...kept, ...known };
  const error = schema ? validate(schema, json) : null;
  if (!error) return { ok: true, json, quotes: check.used, dropped: check.dropped };
  const why = check.dropped.length > 0 ? ` ${unquoted(check.dropped)}` : "";
  return { ok: false, reason: `${error.field || "the root"} ${error.message}.${why}` };
}

const mostNamed = 10;

function unquoted(paths: readonly string[]): string {
  return `No words of the page were given for ${paths.slice(0, mostNamed).join(", ")}.`;
}

const maxValues = 20_000;
const maxDepth = 12;
const maxName = 128;
const unsafeNames = new Set(["__proto__", "constructor", "prototype"]);

/** The values of one answer, as they are looked at. */
class Check {
  readonly used: Record<string, string> = {};
  readonly dropped: string[] = [];
  readonly #text: string;
  readonly #numbers: ReadonlySet<number>;
  readonly #quotes: ReadonlyMap<string, string>;
  readonly #root: Schema | undefined;
  #left = maxValues;

  constructor(text: string, quotes: unknown, root: Schema | undefined) {
    this.#text = plain(text);
    this.#numbers = numbersIn(text);
    this.#quotes = quotesIn(quotes);
    this.#root = root;
  }

  /** The value without what is not kept; undefined where that is all of it. */
  keep(value: unknown, schema: unknown, place: Place, depth: number): unknown {
    this.#left -= 1;
    if (this.#left < 0 || depth > maxDepth) return undefined;
    const forms = formsOf(this.#root, schema);
    if (Array.isArray(value)) return this.#keepList(value, forms, place, depth);
    if (isObject(value)) return this.#keepObject(value, forms, place, depth);
    if (typeof value !== "string" && typeof value !== "number") return value;
    if (isListed(value, forms) || this.#isFounded(value, place)) return value;
    this.dropped.push(place.path);
    return undefined;
  }

  #keepList(values: unknown[], forms: Schema[], { path }: Place, depth: number): unknown[] {
    const items = forms.map(({ items }) => items).find(isObject);
    const required = formsOf(this.#root, items).flatMap(namesRequired);
    return values.flatMap((value, at) => {
      const kept = this.keep(value, items, { path: join(path, String(at)) }, depth + 1);
      const lacks = isObject(kept) && required.some(name => kept[name] === undefined);
      return kept === undefined || lacks ? [] : [kept];
    });
  }

  #keepObject(value: Record<string, unknown>, forms: Schema[], { path }: Place, depth: number): object {
    const named = Object.assign({}, ...forms.map(({ properties }) => properties).filter(isObject));
    const isFree = Object.keys(named).length === 0;
    const entries = Object.entries(value).flatMap(([name, inner]) => {
      if (unsafeNames.has(name) || name.length > maxName) return [];
      if (!isFree && !Object.hasOwn(named, name)) return [];
      const place = { path: join(path, name), around: path };
      const kept = this.keep(inner, isFree ? undefined : named[name], place, depth + 1);
      return kept === undefined ? [] : [[name, kept] as const];
    });
    return Object.fromEntries(entries);
  }

  #isFounded(value: string | number, place: Place): boolean {
    const quote = quoteFor(this.#quotes, value, place, this.#text);
    if (quote !== undefined) {
      this.used[place.path] = quote;
      return true;
    }
    if (typeof value === "number") return this.#numbers.has(value);
    return isIn(this.#text, plain(value));
  }
}

/** A text that the schema lists. */
function isListed(value: unknown, forms: Schema[]): boolean {
  return forms.some(form => (Array.isArray(form.enum) && form.enum.includes(value)) || form.const === value);
}

function namesRequired({ required }: Schema): string[] {
  return Array.isArray(required) ? required.filter(name => typeof name === "string") : [];
}

const mostForms = 30;

/** The schemas that may hold in one place, behind references and in branches. */
function formsOf(root: Schema | undefined, schema: unknown): Schema[] {
  const forms: Schema[] = [];
  const waiting = [schema];
  while (waiting.length > 0 && forms.length < mostForms) {
    const next = waiting.shift();
    if (!isObject(next)) continue;
    forms.push(next);
    if (typeof next.$ref === "string") waiting.push(resolvePointer(root, next.$ref));
    for (const branch of [next.anyOf, next.oneOf, next.allOf])
      if (Array.isArray(branch)) waiting.push(...branch);
  }
  return forms;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).every(isEmpty);
  return value === null || value === "";
}
