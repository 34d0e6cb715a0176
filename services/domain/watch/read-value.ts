import type { DocumentNode } from "../extract/tree.ts";
import { evaluateXPath, isXPath } from "../extract/xpath.ts";
import { applyField, rootScope } from "../recipe/apply-recipe.ts";
import { coerce } from "../recipe/coerce.ts";
import type { Page } from "../recipe/parse-page.ts";

/**
 * The number that a text states: an amount of money where it has one that is asked for now, otherwise the first number.
 * Separators are read by the language of the page. Undefined where there is none.
 */
export function numberIn(text: string, language: string): number | undefined {
  const read = (as?: "price") =>
    coerce({ value: text }, { type: "number", ...(as && { as }) }, "", language) as number | undefined;
  return read("price") ?? read();
}

/** The number of the first line that states one; money before others. */
export function numberOfLines(lines: readonly string[], language: string): number | null {
  const price = { type: "number", as: "price" } as const;
  for (const line of lines) {
    const value = coerce({ value: line }, price, "", language);
    if (typeof value === "number") return value;
  }
  for (const line of lines) {
    const value = numberIn(line, language);
    if (value !== undefined) return value;
  }
  return null;
}

/** The number that a selector finds on a page that is not cleaned: null where it states none, undefined without a match. */
export function numberAt(tree: DocumentNode, page: Page, selector: string): number | null | undefined {
  if (isXPath(selector)) {
    const { elements, values } = evaluateXPath(tree, selector);
    const texts = [...elements.map(element => element.textContent), ...values];
    return texts.length === 0 ? undefined : numberOfLines(texts, page.language);
  }
  if (page.root.querySelector(selector) === null) return undefined;
  const scope = rootScope(page);
  const value =
    applyField({ list: selector, type: "number", as: "price" }, scope) ??
    applyField({ list: selector, type: "number" }, scope);
  return Array.isArray(value) && typeof value[0] === "number" ? value[0] : null;
}
