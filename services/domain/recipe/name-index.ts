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
const maxPerName = 60;
const namingAttributes = [
  "data-testid",
  "data-test",
  "data-qa",
  "data-field",
  "data-name",
  "data-label",
  "data-key",
];

/** Every name below an element, its own data attributes included. */
export function indexNames(root: PageElement): NameIndex {
  const index: NameIndex = { exact: new Map(), parts: new Map() };
  let left = maxElements;
  for (const element of [root, ...root.querySelectorAll("*")]) {
    left -= 1;
    if (left < 0) break;
    if (!/^(html|head|meta|script|style|link|input)$/.test(element.localName))
      indexElement(index, element, element === root);
  }
  return index;
}

function indexElement(index: NameIndex, element: PageElement, isRoot: boolean): void {
  for (const [name, value] of element.attributes) {
    if (name.startsWith("data-") && value !== "" && !namingAttributes.includes(name))
      put(index.exact, name.slice(5), { element, via: isRoot ? ":scope" : `[${name}]`, attribute: name });
    if (isRoot) continue;
    if (name === "class") for (const part of value.split(/\s+/)) indexName(index, element, part, `.${part}`);
    else if (name === "id") indexName(index, element, value, `#${value}`);
    else if (name === "aria-label" && value.length <= 60 && !/["\\]/.test(value))
      put(index.exact, value, { element, via: `[aria-label="${value}"]` });
    else if (
      [...namingAttributes, "itemprop", "property", "rel", "name"].includes(name) &&
      /^[\w -]+$/.test(value)
    )
      indexName(index, element, value, `[${name}="${value}"]`);
  }
}

function indexName(index: NameIndex, element: PageElement, name: string, via: string): void {
  if (!isStable(name) && !via.startsWith("[")) return;
  put(index.exact, name, { element, via });
  const pieces = name.split(/__|--|[-_]/);
  if (pieces.length < 2) return;
  for (let start = 1; start < pieces.length; start += 1)
    put(index.parts, pieces.slice(start).join(""), { element, via });
  for (let end = pieces.length - 1; end > 0; end -= 1)
    put(index.parts, pieces.slice(0, end).join(""), { element, via });
}

function put(map: Map<string, Named[]>, name: string, named: Named): void {
  const key = squeezedName(name);
  if (key === "") return;
  const all = map.get(key);
  if (all === undefined) map.set(key, [named]);
  else if (all.length < maxPerName) all.push(named);
}

const maxKept = 5000;
const squeezed = new Map<string, string>();

/** Pages repeat their few names on many elements. */
function squeezedName(name: string): string {
  let key = squeezed.get(name);
  if (key === undefined) {
    key = squeeze(name);
    if (squeezed.size >= maxKept) squeezed.clear();
    squeezed.set(name, key);
  }
  return key;
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
