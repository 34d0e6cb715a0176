import type { DocumentNode } from "../../../reader/html/tree.ts";
import { evaluateXPath, isXPath } from "../../../reader/page/xpath.ts";
import { applyField, rootScope } from "../../../reader/recipe/apply-recipe.ts";
import { coerce } from "../../../reader/recipe/coerce.ts";
import type { Page } from "../../../reader/recipe/parse-page.ts";
import type { ValueWhen } from "./view.ts";

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

/** What is remembered of a number. */
export interface KnownValue {
  /** At the last check that had one. */
  last: number;
  /** The number that was reported last, or seen first. */
  reported: number;
}

/** The memory after a snapshot. A snapshot without a number changes nothing. */
export function nextValue(
  known: KnownValue | undefined,
  value: number | null | undefined,
  isReported: boolean,
): KnownValue | undefined {
  if (value === null || value === undefined) return known;
  return { last: value, reported: known === undefined || isReported ? value : known.reported };
}

/** Whether a number has crossed a limit, once each time, or has moved far enough; and a sentence. */
export function crossing(
  known: KnownValue | undefined,
  value: number | null,
  { below, above, changed_by_percent: percent }: ValueWhen,
): { why: string; value?: { from: number; to: number } } {
  if (value === null) return { why: "No number is found for `when.value`." };
  if (known === undefined) return { why: `The number is ${value}, for the first time.` };
  const { last, reported } = known;
  if (below !== undefined && value < below && last >= below)
    return {
      why: `The number fell from ${last} to ${value}, below ${below}.`,
      value: { from: last, to: value },
    };
  if (above !== undefined && value > above && last <= above)
    return {
      why: `The number rose from ${last} to ${value}, above ${above}.`,
      value: { from: last, to: value },
    };
  if (
    percent !== undefined &&
    value !== reported &&
    Math.abs(value - reported) * 100 >= percent * Math.abs(reported)
  )
    return {
      why: `The number went from ${reported} to ${value}, by at least ${percent} %.`,
      value: { from: reported, to: value },
    };
  return { why: `The number is ${value}: ${stateOf(value, last, { below, above, percent })}.` };
}

function stateOf(
  value: number,
  last: number,
  { below, above, percent }: { below?: number; above?: number; percent?: number },
): string {
  const states = [
    below !== undefined && (value < below ? `below ${below} already` : `not below ${below}`),
    above !== undefined && (value > above ? `above ${above} already` : `not above ${above}`),
    percent !== undefined && (value === last ? "as before" : `not changed by ${percent} %`),
  ];
  return states.filter(state => state !== false).join(", ");
}
