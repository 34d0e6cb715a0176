import { isObject } from "../recipe/recipe.ts";

export type Entry = Record<string, unknown>;

/** An object of a document. */
export interface Place {
  record: Entry;
  /** Its key, and those around it, without the places in lists. */
  path: readonly string[];
  /** Others like it are beside it. */
  isOneOfMany: boolean;
}

/** Objects of one kind: those of a list, or of all lists in the same place of the objects around them. */
export interface List {
  key: string;
  path: readonly string[];
  items: Entry[];
}

/** Where the objects and lists of a document are, the outermost first. */
export interface Records {
  places: Place[];
  lists: List[];
}

const maxPlaces = 20_000;
const maxDepth = 30;
const maxItems = 20_000;
/** Objects of a list that are looked into. */
const maxLookedInto = 2000;

interface Waiting {
  value: unknown;
  path: readonly string[];
  isOneOfMany: boolean;
}

/** Finds the objects of a document, within limits of their number and depth. */
export function recordsIn(document: unknown): Records {
  const found: Records = { places: [], lists: [] };
  const byPath = new Map<string, List>();
  const waiting: Waiting[] = [{ value: document, path: [], isOneOfMany: false }];
  for (let at = 0; at < waiting.length && found.places.length < maxPlaces; at += 1) {
    const { value, path, isOneOfMany } = waiting[at] as Waiting;
    if (path.length > maxDepth) continue;
    const items = itemsOf(value);
    if (items) {
      addTo(found, byPath, path, items);
      const inner = items.slice(0, maxLookedInto);
      const isMany = isOneOfMany || items.length > 1;
      for (const item of inner) waiting.push({ value: item, path, isOneOfMany: isMany });
    } else if (isObject(value)) {
      found.places.push({ record: value, path, isOneOfMany });
      for (const [key, each] of Object.entries(value))
        if (typeof each === "object" && each !== null)
          waiting.push({ value: each, path: [...path, key], isOneOfMany });
    } else if (Array.isArray(value))
      for (const each of value.slice(0, maxLookedInto))
        if (Array.isArray(each)) waiting.push({ value: each, path: [...path, ""], isOneOfMany: true });
  }
  return found;
}

/** The objects of a list, or of an object that has objects alone: their keys are ids. */
function itemsOf(value: unknown): Entry[] | undefined {
  if (Array.isArray(value)) {
    const items = value.filter(isObject);
    return items.length > 0 ? items : undefined;
  }
  if (!isObject(value)) return undefined;
  const inner = Object.values(value);
  return inner.length > 2 && inner.every(isObject) && areAlike(inner as Entry[])
    ? (inner as Entry[])
    : undefined;
}

/** Whether most keys of the first are in the others, too. */
function areAlike([first = {}, ...others]: Entry[]): boolean {
  const keys = Object.keys(first);
  const isAlike = (other: Entry) => keys.filter(key => key in other).length * 2 > keys.length;
  return keys.length > 0 && others.slice(0, 50).every(isAlike);
}

function addTo({ lists }: Records, byPath: Map<string, List>, path: readonly string[], items: Entry[]): void {
  const id = JSON.stringify(path);
  const known = byPath.get(id);
  if (known) {
    for (const item of items.slice(0, maxItems - known.items.length)) known.items.push(item);
    return;
  }
  const list = { key: path.at(-1) ?? "", path, items: items.slice(0, maxItems) };
  byPath.set(id, list);
  lists.push(list);
}
