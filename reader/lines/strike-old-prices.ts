import { type ElementNode, isElement, newElement } from "../html/tree.ts";
import { isStruck } from "../recipe/text-of.ts";

const lineThrough = /text-decoration(?:-line)?\s*:[^;]*line-through/i;
const struckTags = new Set(["del", "s", "strike"]);
/** A former price is named so in classes that a list or a paragraph may have, too. */
const money = /\p{Sc}|\b(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|Kč|zł|Ft|kr)\b/u;
const maxPrice = 60;

/** Strikes out what a page shows struck by its style, and former prices. Changes the tree, which has been weighed. */
export function strikeOldPrices(parent: ElementNode): void {
  for (const child of parent.childNodes) {
    if (!isElement(child) || struckTags.has(child.name)) continue;
    if (child.attributes.size > 0 && isStruck(child) && (isLinedThrough(child) || isPrice(child)))
      strike(child);
    else strikeOldPrices(child);
  }
}

function isLinedThrough({ attributes }: ElementNode): boolean {
  return lineThrough.test(attributes.get("style") ?? "");
}

function isPrice(element: ElementNode): boolean {
  if (element.chars > maxPrice || holdsStruck(element)) return false;
  const text = element.textContent;
  return /\p{Nd}/u.test(text) && money.test(text);
}

function holdsStruck(element: ElementNode): boolean {
  return element.childNodes.some(
    child => isElement(child) && (struckTags.has(child.name) || holdsStruck(child)),
  );
}

function strike(element: ElementNode): void {
  const struck = newElement("del", {}, element.childNodes);
  struck.parentNode = element;
  element.childNodes = [struck];
}
