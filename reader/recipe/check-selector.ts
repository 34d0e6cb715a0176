import type { RequestBudget } from "../text/request-budget.ts";
import { isSelector } from "./query.ts";

const mostDepth = 8;

/**
 * Why a CSS selector cannot be used; null for one that can. What it costs is counted in its text before it is compiled: the
 * compiler takes a time that grows with the square of `:not(` in `:not(`. `name` is what the message calls it.
 */
export function checkCss(selector: string, budget: RequestBudget, name = "This"): string | null {
  const { depth, parts } = sizeOf(selector);
  if (depth > mostDepth)
    return `A selector nests at most ${mostDepth} levels deep, such as \`:not(\` in \`:is(\`.`;
  if (!budget.spend(selector.length / 4 + parts * 2))
    return "The selectors and expressions of this request are too large together.";
  return isSelector(selector) ? null : `${name} is not a CSS selector that can be used.`;
}

/** How deep brackets nest, and how many parts commas make. Reads the text once. */
function sizeOf(selector: string): { depth: number; parts: number } {
  let [open, depth, parts] = [0, 0, 1];
  let quote = "";
  for (let at = 0; at < selector.length; at++) {
    const character = selector[at] ?? "";
    if (character === "\\") at += 1;
    else if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "(" || character === "[") depth = Math.max(depth, ++open);
    else if (character === ")" || character === "]") open -= 1;
    else if (character === ",") parts += 1;
  }
  return { depth, parts };
}
