import { type ConceptName, conceptOf, concepts } from "../recipe/concepts.ts";
import { readPath } from "../recipe/linked-data.ts";
import { TooMuchWork } from "../recipe/parse-page.ts";
import { isObject } from "../recipe/recipe.ts";
import { singular, squeeze } from "../recipe/text-of.ts";
import type { Want } from "../recipe/want.ts";
import { readSingle } from "./read-single.ts";
import type { Entry } from "./records.ts";

/** Steps of work for one document. A count, unlike a clock, gives the same answer on every machine. */
const maxSteps = 5_000_000;

/** What the reading of a document may still cost, and the base of its addresses. */
export class Steps {
  readonly base: string;
  #left = maxSteps;

  constructor(base: string) {
    this.base = base;
  }

  /** Throws where the document takes too much work. */
  take(count = 1): void {
    this.#left -= count;
    if (this.#left < 0) throw new TooMuchWork("Reading the document in this way takes too long.");
  }
}

/** The values that were found for these wants in an object, by their names. */
export function findFields(wants: readonly Want[], record: Entry, steps: Steps): Entry {
  const values = wants.flatMap(want => {
    const value = findField(want, record, steps);
    return value === undefined ? [] : [[want.name, value] as const];
  });
  return Object.fromEntries(values);
}

/** The value of a property: its own name before all others, then what such a thing is called, then what is inside of it. */
export function findField(want: Want, record: Entry, steps: Steps): unknown {
  for (const raw of candidatesOf(want, record, steps)) {
    const value = readProperty(want, raw, steps);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The value of a property of an object itself, under any of its names. */
export function ownField(want: Want, record: Entry, steps: Steps): unknown {
  for (const raw of ownCandidates(want, record, steps)) {
    const value = readProperty(want, raw, steps);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A value of a document as what is wanted; undefined where it cannot be read as such. */
export function readProperty(want: Want, raw: unknown, steps: Steps): unknown {
  steps.take();
  if (raw === null) return want.nullable ? null : undefined;
  if (want.kind === "array") return readList(want, raw, steps);
  if (want.kind === "object") return readObject(want, raw, steps);
  return accepted(want, readSingle(want, raw, steps.base));
}

function accepted(want: Want, value: unknown): unknown {
  return value !== undefined && want.accepts(value) ? value : undefined;
}

/** Documents write lists as one text, and XML a list of one as the value alone. */
function readList(want: Want, raw: unknown, steps: Steps): unknown {
  const { item } = want;
  if (!item) return Array.isArray(raw) ? accepted(want, raw) : undefined;
  const raws = Array.isArray(raw) ? raw : typeof raw === "string" ? raw.split(/\s*[,;|\n]\s*/) : [raw];
  const values = readItems(item, raws, steps);
  return values.length > 0 ? accepted(want, values) : undefined;
}

/** The entries of a list that can be read as what is wanted. */
export function readItems(item: Want, raws: readonly unknown[], steps: Steps): unknown[] {
  return raws.flatMap(raw => {
    const value = readProperty(item, raw, steps);
    return value === undefined ? [] : [value];
  });
}

function readObject(want: Want, raw: unknown, steps: Steps): unknown {
  const { fields = [] } = want;
  const record = Array.isArray(raw) && raw.length === 1 ? raw[0] : raw;
  if (!isObject(record)) return undefined;
  if (fields.length === 0) return accepted(want, record);
  const values = findFields(fields, record, steps);
  const isMissing = fields.some(({ name, required }) => required && values[name] === undefined);
  const isEmpty = Object.values(values).every(value => value === null);
  return isMissing || isEmpty ? undefined : accepted(want, values);
}

/** What interfaces and feeds call these, besides what pages and schemas do. */
const fieldWords: Partial<Record<ConceptName, string>> = {
  title: "displayname fullname label",
  date: "pubdate issued created createdon time timestamp firstpublished",
  modified: "updatedon changed lastbuilddate",
  author: "creator login owner",
  content: "encoded contenthtml contenttext bodyhtml bodytext",
  description: "subtitle contentsnippet",
  url: "htmlurl weburl pageurl externalurl href",
  image: "thumb imagesrc enclosure",
  price: "unitprice pricevalue",
};

/** Properties of an object whose names are compared. */
const maxKeys = 1000;
const keptNames = new WeakMap<Entry, readonly string[]>();

/** Each want looks at them. */
function keysIn(record: Entry): readonly string[] {
  const known = keptNames.get(record);
  if (known) return known;
  const keys = Object.keys(record).slice(0, maxKeys);
  keptNames.set(record, keys);
  return keys;
}

const maxKept = 5000;
const keptKeys = new Map<string, { squeezed: string; concept: ConceptName | undefined }>();

/** Documents repeat their few keys in many objects. */
function keyOf(key: string): { squeezed: string; concept: ConceptName | undefined } {
  let known = keptKeys.get(key);
  if (known === undefined) {
    const name = key.slice(0, 200);
    known = { squeezed: squeeze(name), concept: conceptOf(name) };
    if (keptKeys.size >= maxKept) keptKeys.clear();
    keptKeys.set(key, known);
  }
  return known;
}

function* candidatesOf(want: Want, record: Entry, steps: Steps): Generator<unknown> {
  yield* ownCandidates(want, record, steps);
  yield* innerCandidates(want, record, steps);
}

/** The properties of an object itself that a want may mean, the best first. */
function* ownCandidates(want: Want, record: Entry, steps: Steps): Generator<unknown> {
  if (Object.hasOwn(record, want.name)) yield record[want.name];
  const keys = keysIn(record).filter(key => key !== want.name);
  steps.take(keys.length);
  const words = wordsFor(want);
  const rankOf = (key: string) => words.get(keyOf(key).squeezed) ?? Infinity;
  const named = keys.filter(key => rankOf(key) !== Infinity).sort((a, b) => rankOf(a) - rankOf(b));
  for (const key of named) yield record[key];
  for (const key of keys)
    if (want.concept !== undefined && keyOf(key).concept === want.concept && rankOf(key) === Infinity)
      yield record[key];
}

const keptWords = new WeakMap<Want, Map<string, number>>();

/** The squeezed keys that mean it, by their rank. */
function wordsFor(want: Want): Map<string, number> {
  const known = keptWords.get(want);
  if (known) return known;
  const more = (want.concept && fieldWords[want.concept]?.split(" ")) ?? [];
  const singulars = want.kind === "array" ? want.words.map(singular) : [];
  const words = [...want.words, ...more, ...singulars];
  const ranks = new Map(words.map((word, rank) => [word, rank] as const).reverse());
  keptWords.set(want, ranks);
  return ranks;
}

/** Every object has these. As a property of an inner object they mean that object's. */
const ofAnything = new Set([
  "title",
  "url",
  "image",
  "description",
  "date",
  "content",
  "modified",
  "language",
]);
/** What interfaces put around the properties of a thing. */
const wrappers = new Set(
  "data attributes attrs properties props fields item node result product article page entry record details info meta general".split(
    " ",
  ),
);
const maxDepth = 4;

/** What is deeper: by the paths of schema.org, and by names that are of one thing or say which. */
function* innerCandidates(want: Want, record: Entry, steps: Steps): Generator<unknown> {
  const linked = want.concept ? concepts[want.concept].linked.filter(path => path.includes(".")) : [];
  for (const path of linked) yield* readPath([record], path).slice(0, 1);
  const whole = squeeze(want.name);
  const waiting = [{ record, path: "", depth: 0, isSame: true }];
  for (const { record: outer, path, depth, isSame } of waiting)
    for (const key of keysIn(outer)) {
      steps.take();
      const value = outer[key];
      const inner = Array.isArray(value) && value.length === 1 ? value[0] : value;
      if (!isObject(inner) || depth >= maxDepth) continue;
      const { squeezed } = keyOf(key);
      const isOfSame = isSame && wrappers.has(squeezed);
      for (const name of keysIn(inner)) {
        steps.take();
        const end = squeezed + keyOf(name).squeezed;
        if (end === whole || want.words.includes(path + end)) yield inner[name];
      }
      if (isOfSame || !ofAnything.has(want.concept ?? "")) yield* ownCandidates(want, inner, steps);
      waiting.push({ record: inner, path: path + squeezed, depth: depth + 1, isSame: isOfSame });
    }
}
