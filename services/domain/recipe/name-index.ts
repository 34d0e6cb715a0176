import { isStable } from "./selector-for.ts";
import { squeeze } from "./words.ts";

/** An element that bears a name, and the selector that says so. */
export interface Named {
  element: Element;
  /** Matches the element by its name; maybe others too. */
  via: string;
  /** The name is that of an attribute, which then holds the value. */
  attribute?: string;
}

/** Elements by the squeezed names they bear. `parts` holds their parts: `product-card__price` under `price`. */
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
export function indexNames(root: Element): NameIndex {
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

function indexElement(index: NameIndex, element: Element, isRoot: boolean): void {
  for (const { name, value } of [...element.attributes]) {
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

function indexName(index: NameIndex, element: Element, name: string, via: string): void {
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
  const key = squeeze(name);
  const all = map.get(key) ?? [];
  if (key !== "" && all.length < maxPerName) map.set(key, [...all, named]);
}
