import type { DocumentNode } from "../../../reader/html/tree.ts";
import { evaluateXPath, isXPath } from "../../../reader/page/xpath.ts";
import type { Page } from "../../../reader/recipe/parse-page.ts";
import { numberInElements, numberInTexts } from "../../../reader/recipe/stated-number.ts";
import type { ValueWhen } from "./view.ts";

/** The number of the first line that states one; money before others. What is struck out in Markdown does not count. */
export function numberOfLines(lines: readonly string[], language: string): number | null {
  return numberInTexts(lines, language) ?? null;
}

/** The number that a selector finds on a page that is not cleaned: null where it states none, undefined without a match. */
export function numberAt(tree: DocumentNode, page: Page, selector: string): number | null | undefined {
  const { elements, values } = isXPath(selector)
    ? evaluateXPath(tree, selector)
    : { elements: page.root.querySelectorAll(selector).map(({ node }) => node), values: [] };
  if (elements.length + values.length === 0) return undefined;
  return numberInElements(elements, page.language) ?? numberOfLines(values, page.language);
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
