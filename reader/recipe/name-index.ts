import type { PageElement } from "./page-element.ts";
import type { Scope } from "./parse-page.ts";
import { isStable } from "./selector-for.ts";
import { squeeze } from "./text-of.ts";

/** An element with a name, and the selector for that name. */
export interface Named {
  element: PageElement;
  /** Matches the element by its name; maybe others too. */
  via: string;
  /** The name is that of an attribute, which then holds the value. */
  attribute?: string;
}

/** Elements by their squeezed names. `parts` holds parts of names: `product-card__price` under `price`. */
export interface NameIndex {
  exact: Map<string, Named[]>;
  parts: Map<string, Named[]>;
}

const maxElements = 150_000;
const unnamed = new Set("html head meta script style link input".split(" "));
const maxPerName = 60;
const dataNames = new Set(
  ["testid", "test", "qa", "field", "name", "label", "key"].map(name => `data-${name}`),
);
const namingAttributes = new Set([...dataNames, "itemprop", "property", "rel", "name"]);

/** Every name below an element, its own data attributes included. */
export function indexNames(root: PageElement): NameIndex {
  const index: NameIndex = { exact: new Map(), parts: new Map() };
  let left = maxElements;
  for (const element of [root, ...root.querySelectorAll("*")]) {
    left -= 1;
    if (left < 0) break;
    if (!unnamed.has(element.localName)) indexElement(index, element, element === root);
  }
  return index;
}

function indexElement(index: NameIndex, element: PageElement, isRoot: boolean): void {
  for (const [name, value] of element.attributes) {
    if (name.startsWith("data-") && value !== "" && !dataNames.has(name))
      put(index.exact, name.slice(5), { element, via: isRoot ? ":scope" : `[${name}]`, attribute: name });
    if (isRoot) continue;
    if (name === "class") for (const part of value.split(/\s+/)) indexName(index, element, part, `.${part}`);
    else if (name === "id") indexName(index, element, value, `#${value}`);
    else if (name === "aria-label" && value.length <= 60 && !/["\\]/.test(value))
      put(index.exact, value, { element, via: `[aria-label="${value}"]` });
    else if (namingAttributes.has(name) && /^[\w -]+$/.test(value))
      indexName(index, element, value, `[${name}="${value}"]`);
  }
}

function indexName(index: NameIndex, element: PageElement, name: string, via: string): void {
  if (!isStable(name) && !via.startsWith("[")) return;
  const named = { element, via };
  const { whole, parts } = keysOf(name);
  putAt(index.exact, whole, named);
  for (const part of parts) putAt(index.parts, part, named);
}

function put(map: Map<string, Named[]>, name: string, named: Named): void {
  putAt(map, keysOf(name).whole, named);
}

function putAt(map: Map<string, Named[]>, key: string, named: Named): void {
  if (key === "") return;
  const all = map.get(key);
  if (all === undefined) map.set(key, [named]);
  else if (all.length < maxPerName) all.push(named);
}

/** A name squeezed, and its ends and beginnings: of `product-card__price` also `price`, `cardprice` and `product`. */
interface Keys {
  whole: string;
  parts: readonly string[];
}

/** Longer names have no parts: there would be as many as characters, each nearly as long. */
const maxName = 200;
const maxKept = 5000;
const kept = new Map<string, Keys>();

/** Pages repeat their few names on many elements. */
function keysOf(name: string): Keys {
  if (name.length > maxName) return { whole: squeeze(name), parts: [] };
  let keys = kept.get(name);
  if (keys === undefined) {
    keys = { whole: squeeze(name), parts: partsOf(name) };
    if (kept.size >= maxKept) kept.clear();
    kept.set(name, keys);
  }
  return keys;
}

function partsOf(name: string): string[] {
  const pieces = name.split(/__|--|[-_]/);
  const inner = pieces.slice(1).map((_, at) => at + 1);
  return [
    ...inner.map(start => squeeze(pieces.slice(start).join(""))),
    ...inner.reverse().map(end => squeeze(pieces.slice(0, end).join(""))),
  ];
}

/** A scope in which fields are being looked for. */
export interface Site extends Scope {
  names: () => NameIndex;
  /** The page as a whole: its title and meta elements speak of this. */
  isPage: boolean;
}

export function siteOf(scope: Scope, isPage: boolean): Site {
  let names: NameIndex | undefined;
  return {
    ...scope,
    isPage,
    names: () => {
      names ??= indexNames(scope.element);
      return names;
    },
  };
}
