import { digitsSource, parseNumber } from "../../../reader/recipe/numbers.ts";
import { isObject } from "../../../reader/recipe/recipe.ts";
import { resolvePointer, type Schema, validate } from "../../../reader/recipe/schema.ts";

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
 * be on it, or have a quote that is. One that does not is left out. A boolean, and a text that the schema lists, is a
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
  const kept = check.keep(values, schema, "", 0);
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
  keep(value: unknown, schema: unknown, path: string, depth: number): unknown {
    this.#left -= 1;
    if (this.#left < 0 || depth > maxDepth) return undefined;
    const forms = formsOf(this.#root, schema);
    if (Array.isArray(value)) return this.#keepList(value, forms, path, depth);
    if (isObject(value)) return this.#keepObject(value, forms, path, depth);
    if (typeof value !== "string" && typeof value !== "number") return value;
    if (isListed(value, forms) || this.#isFounded(value, path)) return value;
    this.dropped.push(path);
    return undefined;
  }

  #keepList(values: unknown[], forms: Schema[], path: string, depth: number): unknown[] {
    const items = forms.map(({ items }) => items).find(isObject);
    const required = formsOf(this.#root, items).flatMap(namesRequired);
    return values.flatMap((value, at) => {
      const kept = this.keep(value, items, join(path, String(at)), depth + 1);
      const lacks = isObject(kept) && required.some(name => kept[name] === undefined);
      return kept === undefined || lacks ? [] : [kept];
    });
  }

  #keepObject(value: Record<string, unknown>, forms: Schema[], path: string, depth: number): object {
    const named = Object.assign({}, ...forms.map(({ properties }) => properties).filter(isObject));
    const isFree = Object.keys(named).length === 0;
    const entries = Object.entries(value).flatMap(([name, inner]) => {
      if (unsafeNames.has(name) || name.length > maxName) return [];
      if (!isFree && !Object.hasOwn(named, name)) return [];
      const kept = this.keep(inner, isFree ? undefined : named[name], join(path, name), depth + 1);
      return kept === undefined ? [] : [[name, kept] as const];
    });
    return Object.fromEntries(entries);
  }

  #isFounded(value: string | number, path: string): boolean {
    const quote = quoteFor(this.#quotes, path);
    if (quote !== undefined && plain(quote).length >= leastQuote && isIn(this.#text, plain(quote))) {
      this.used[path] = quote;
      return true;
    }
    if (typeof value === "number") return this.#numbers.has(value);
    return isIn(this.#text, plain(value));
  }
}

/** Any page has words that are shorter. */
const leastQuote = 3;
const mostTries = 1000;
const letter = "[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Nd}]";
const goesBack = new RegExp(`${letter}$`, "u");
const goesOn = new RegExp(`^${letter}`, "u");

/** Whether words are in a text as whole words and numbers: `249` is not in `1,249.90`. */
function isIn(text: string, words: string): boolean {
  if (words === "") return true;
  const [isWordAtStart, isWordAtEnd] = [goesOn.test(words), goesBack.test(words)];
  const [isDigitAtStart, isDigitAtEnd] = [/^\d/.test(words), /\d$/.test(words)];
  let at = -1;
  for (let tries = 0; tries < mostTries; tries += 1) {
    at = text.indexOf(words, at + 1);
    if (at === -1) return false;
    const [before, after] = [
      text.slice(Math.max(0, at - 2), at),
      text.slice(at + words.length, at + words.length + 2),
    ];
    const isCutBefore =
      (isWordAtStart && goesBack.test(before)) || (isDigitAtStart && /\d[.,']$/.test(before));
    const isCutAfter = (isWordAtEnd && goesOn.test(after)) || (isDigitAtEnd && /^[.,']\d/.test(after));
    if (!isCutBefore && !isCutAfter) return true;
  }
  return false;
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
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

const maxQuote = 2000;

/** Quotes by dotted paths: models write them as `items.0.price`, `/items/0/price`, or nested as the values are. */
function quotesIn(quotes: unknown): Map<string, string> {
  const found = new Map<string, string>();
  const waiting: [string, unknown][] = [["", quotes]];
  while (waiting.length > 0 && found.size < maxValues) {
    const [path, value] = waiting.pop() ?? ["", undefined];
    if (typeof value === "string") found.set(path, value.slice(0, maxQuote));
    else if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value)) waiting.push([join(path, dotted(name)), inner]);
  }
  return found;
}

function dotted(name: string): string {
  return name.replace(/^[#$]?[/.]|\]/g, "").replace(/[/[]/g, ".");
}

/** The quote of a value, or of what it is in. */
function quoteFor(quotes: ReadonlyMap<string, string>, path: string): string | undefined {
  for (let at = path; ; at = at.slice(0, at.lastIndexOf("."))) {
    const quote = quotes.get(at);
    if (quote !== undefined || !at.includes(".")) return quote;
  }
}

const number = new RegExp(digitsSource, "gu");
/** Characters behind a number that may multiply it. */
const factorLength = 12;

/** The numbers of a text, as English and as German would read them. */
function numbersIn(text: string): Set<number> {
  const found = new Set<number>();
  for (const { 0: digits, index } of text.matchAll(number)) {
    const sign = /[-\u2212]\s?\p{Sc}?$/u.test(text.slice(Math.max(0, index - 3), index)) ? -1 : 1;
    const readings = [digits, text.slice(index, index + digits.length + factorLength)];
    for (const reading of readings)
      for (const language of ["", "de"]) {
        const value = parseNumber(reading, language);
        if (value !== undefined) found.add(value).add(sign * value);
      }
  }
  return found;
}

/** Words as they are compared: without marks of Markdown and HTML entities, case, and the kinds of spaces, quotes and dashes. */
function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\\*_`#|~>\u200b-\u200d\ufeff\u00ad]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
