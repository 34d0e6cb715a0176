import { composed } from "../../../reader/text/decode-text.ts";
import { compileExpression, type Expression } from "../../../reader/text/expression.ts";
import { RequestBudget } from "../../../reader/text/request-budget.ts";

/** Whether a pattern is found in a text. */
export type Matcher = (text: string) => boolean;

const maxLength = 1000;
/** Limit of a compiled expression, its counted repetitions unfolded. */
const mostInstructions = 500;
const inSlashes = /^\/(.+)\/([a-z]*)$/s;

/**
 * Why a pattern cannot be used; null for one that can. A pattern is a text, or a regular expression in slashes, in the
 * syntax of RE2, with the flags `i`, `m` and `s`. `budget`: what the expressions of the request may cost together.
 */
export function checkPattern(pattern: string, budget = new RequestBudget()): string | null {
  if (pattern.trim() === "" || pattern.length > maxLength)
    return `A pattern has 1 to ${maxLength} characters.`;
  try {
    const [, source, flags = ""] = inSlashes.exec(pattern) ?? [];
    if (source !== undefined) compiled(source, flags, budget);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * A text is found in any case, whatever the white space between its words. Expressions take time that is linear in the
 * text. Throws for a pattern that `checkPattern` refuses.
 */
export function matcherOf(pattern: string): Matcher {
  const [, source, flags = ""] = inSlashes.exec(pattern) ?? [];
  if (source === undefined) {
    const wanted = oneSpaced(pattern);
    return text => oneSpaced(text).includes(wanted);
  }
  const expression = compiled(source, flags);
  return text => expression.test(text);
}

/** Whether any of the patterns is found; never for none. */
export function anyOf(patterns: readonly string[]): Matcher {
  const matchers = patterns.map(matcherOf);
  return text => matchers.some(matches => matches(text));
}

function compiled(source: string, flags: string, budget?: RequestBudget): Expression {
  return compileExpression(source, { flags, mostInstructions, ...(budget && { budget }) });
}

function oneSpaced(text: string): string {
  return composed(text).replace(/\s+/g, " ").trim().toLowerCase();
}

/** A line of Markdown as a reader sees it: without marks, and links as their text. */
export function shownLine(line: string): string {
  return line
    .replace(/!?\[([^[\]]*)\]\([^()\s]*(?:\s"[^"]*")?\)/g, "$1")
    .replace(/^(?:(?:[-*+>]|\d{1,9}\.) )*(?:#{1,6} )?/, "")
    .replace(/(?<!\\)(?:\*+|`+|~~)/g, "")
    .replace(/\\(?=[\p{P}\p{S}])/gu, "")
    .trim();
}
