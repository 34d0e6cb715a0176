import { TooMuchWork } from "../recipe/parse-page.ts";
import { groupOfWants, promptWants } from "../recipe/prompt.ts";
import { type JsonResult, nothingOf, type WantedJson } from "../recipe/read-json.ts";
import { isObject } from "../recipe/recipe.ts";
import { validate } from "../recipe/schema.ts";
import { singular, squeeze } from "../recipe/text-of.ts";
import { namedWant, type Want, wantsOf } from "../recipe/want.ts";
import { findField, findFields, ownField, readItems, readProperty, Steps } from "./find-fields.ts";
import type { Structured } from "./parse-structured.ts";
import { type Entry, type List, type Records, recordsIn } from "./records.ts";

/**
 * Finds JSON in what a document holds: by the names of its properties, at any depth. The result has no recipe: selectors
 * are for pages. The work is bounded.
 */
export function readStructured(
  document: Structured,
  url: string,
  { schema, prompt, recipe }: WantedJson,
): JsonResult {
  if (recipe)
    return {
      ok: false,
      reason: "A recipe reads pages, and this document is none: send a JSON schema or a prompt.",
    };
  try {
    const steps = new Steps(url);
    const wants = schema ? wantsOf(schema) : [];
    const isPrompt = wants.length === 0 && prompt !== undefined;
    const json = isPrompt ? findPrompted(prompt, document, steps) : find(wants, recordsIn(document), steps);
    return resultOf(json, { schema, prompt });
  } catch (error) {
    if (error instanceof TooMuchWork) return { ok: false, reason: error.message };
    throw error;
  }
}

function resultOf(json: Entry, { schema, prompt }: WantedJson): JsonResult {
  if (Object.values(json).every(value => value === null)) return refusalOf(schema, prompt);
  const error = schema ? validate(schema, json) : null;
  if (!error) return { ok: true, json };
  const reason = `What was found does not fit the schema: ${error.field || "the root"} ${error.message}.`;
  return { ok: false, reason };
}

function refusalOf(schema: WantedJson["schema"], prompt: string | undefined): JsonResult {
  if (schema !== undefined || prompt === undefined) return nothingOf(schema);
  const reason =
    "Rules answer prompts that name values or lists of a document, and found none of these here.";
  return { ok: false, reason, needsSchema: true };
}

/** Single values come from one object of the document, lists from where most of what their entries need is. */
function find(wants: readonly Want[], records: Records, steps: Steps): Entry {
  const singles = wants.filter(want => !isListOfObjects(want));
  const main = mainRecord(singles, records, steps);
  const values = wants.flatMap(want => {
    const value = isListOfObjects(want)
      ? findList(want, records, steps)
      : findSingle(want, main, records, steps);
    return value === undefined ? [] : [[want.name, value] as const];
  });
  return Object.fromEntries(values);
}

function isListOfObjects({ kind, item }: Want): boolean {
  return kind === "array" && item?.kind === "object";
}

const maxLookedAt = 3000;

/** The object that has the most of the wanted properties itself; of equal ones the outermost. None that is one of many. */
function mainRecord(wants: readonly Want[], { places }: Records, steps: Steps): Entry | undefined {
  let best: { record: Entry; count: number } | undefined;
  for (const { record, isOneOfMany } of places.slice(0, maxLookedAt)) {
    if (isOneOfMany) continue;
    const count = wants.filter(want => ownField(want, record, steps) !== undefined).length;
    if (count > (best?.count ?? 0)) best = { record, count };
    if (count === wants.length) break;
  }
  return (best ?? places.find(({ isOneOfMany }) => !isOneOfMany))?.record;
}

/** What says the same of every object, so it is taken from the main one, or from the outermost. */
const ofAnything = new Set(["title", "url", "image", "description", "date", "content", "modified"]);

function findSingle(want: Want, main: Entry | undefined, records: Records, steps: Steps): unknown {
  const own = main && findField(want, main, steps);
  if (own !== undefined && own !== null) return own;
  const mayBeElsewhere = main === undefined || !ofAnything.has(want.concept ?? "");
  for (const { record, isOneOfMany } of mayBeElsewhere ? records.places.slice(0, maxLookedAt) : []) {
    if (isOneOfMany) continue;
    const value = ownField(want, record, steps);
    if (value !== undefined && value !== null) return value;
  }
  return (want.kind === "array" ? plucked(want, records, steps) : undefined) ?? own;
}

/** A list of single values may be a property of the entries of a list: `titles` of all items. */
function plucked(want: Want, { lists }: Records, steps: Steps): unknown {
  const { item } = want;
  if (!item) return undefined;
  const named = { ...item, name: singular(want.name), words: [...item.words, ...want.words.map(singular)] };
  let best: unknown[] = [];
  for (const { items } of lists) {
    const values = items.flatMap(record => findField(named, record, steps) ?? []);
    if (values.length > best.length) best = values;
  }
  return best.length > 0 && want.accepts(best) ? best : undefined;
}

const samples = 5;
/** Words for the entries of any list. */
const anything = new Set(["items", "entries", "rows", "results", "records", "data", "list"]);

/** The entries of the list that has most of what is wanted of them, or that has the name. */
function findList(want: Want, { lists, places }: Records, steps: Steps): unknown {
  const { item } = want;
  if (!item) return undefined;
  const ranked = lists
    .map(list => ({ list, score: scoreOf(want, item, list, steps) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.list.items.length - a.list.items.length);
  for (const { list } of ranked) {
    const values = readItems(item, list.items, steps);
    if (values.length > 0 && want.accepts(values)) return values;
  }
  // A list of one is a single element in XML.
  for (const { record } of places) {
    const value = Object.entries(record).find(
      ([key, inner]) => isObject(inner) && nameScore(want, key) > 0,
    )?.[1];
    const found = value === undefined ? undefined : readProperty(want, value, steps);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Up to 3 for the name of a list, up to 4 for what is in its entries, of which something must be there. */
function scoreOf(want: Want, item: Want, { key, items }: List, steps: Steps): number {
  const { fields = [] } = item;
  const name = nameScore(want, key);
  if (fields.length === 0) return name;
  const found = items.slice(0, samples).map(record => {
    const values = Object.values(findFields(fields, record, steps)).filter(value => value !== null);
    return values.length / fields.length;
  });
  const mean = found.reduce((sum, share) => sum + share, 0) / found.length;
  return mean === 0 ? 0 : name + 4 * mean;
}

function nameScore({ name, words }: Want, key: string): number {
  if (key === name) return 3;
  const squeezed = squeeze(key);
  if (squeezed === "") return 0;
  if (words.includes(squeezed)) return 2;
  return words.some(word => singular(word) === singular(squeezed)) && !anything.has(squeezed) ? 2 : 0;
}

/** Where one object has not all of the values of a prompt and the entries of a list have, those of each entry are meant. */
function findPrompted(prompt: string, document: Structured, steps: Steps): Entry {
  const records = recordsIn(document);
  const wants = promptWants(prompt).map(want => withHead(want, records, steps));
  const singles = wants.filter(({ kind }) => kind !== "array" && kind !== "object");
  const main = mainRecord(singles, records, steps);
  const isWhole = (record: Entry) => singles.every(want => ownField(want, record, steps) !== undefined);
  if (singles.length < 2 || (main && isWhole(main))) return find(wants, records, steps);
  const group = groupOfWants("items", singles);
  const list = records.lists.find(({ items }) => items.slice(0, samples).every(isWhole));
  if (!list) return find(wants, records, steps);
  const others = find(
    wants.filter(want => !singles.includes(want)),
    records,
    steps,
  );
  return { [group.name]: readItems(group.item ?? group, list.items, steps), ...others };
}

/** `all towns with their people`: entries that have a town have both. */
function withHead(want: Want, { lists }: Records, steps: Steps): Want {
  const { item, name } = want;
  if (!item?.fields || !isListOfObjects(want)) return want;
  const head = namedWant(singular(name), "string");
  const isKnown = item.fields.some(field => field.name === head.name);
  const isThere = lists.some(({ items: [first = {}] }) => ownField(head, first, steps) !== undefined);
  return isKnown || !isThere ? want : groupOfWants(name, [head, ...item.fields]);
}
