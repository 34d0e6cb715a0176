import { RE2JS } from "re2js";

/** Whether a pattern is found in a text. */
export type Matcher = (text: string) => boolean;

const maxLength = 1000;
/** Limit of a compiled expression, its counted repetitions unfolded. */
const mostInstructions = 500;
const inSlashes = /^\/(.+)\/([a-z]*)$/s;
const flagBits: Record<string, number> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

/**
 * Why a pattern cannot be used; null for one that can. A pattern is a text, or a regular expression in slashes, in the
 * syntax of RE2, with the flags `i`, `m` and `s`.
 */
export function checkPattern(pattern: string): string | null {
  if (pattern.trim() === "" || pattern.length > maxLength)
    return `A pattern has 1 to ${maxLength} characters.`;
  try {
    matcherOf(pattern);
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

function compiled(source: string, flags: string): RE2JS {
  const unknown = [...flags].find(flag => !Object.hasOwn(flagBits, flag));
  if (unknown !== undefined) throw new SyntaxError(`The flag ${unknown} is not one of i, m and s.`);
  const bits = [...flags].reduce((all, flag) => all | (flagBits[flag] ?? 0), 0);
  const expression = compileOrExplain(source, bits);
  if (expression.programSize() > mostInstructions)
    throw new RangeError("This regular expression is too large.");
  return expression;
}

function compileOrExplain(source: string, bits: number): RE2JS {
  try {
    return RE2JS.compile(source, bits);
  } catch (cause) {
    const reason = (cause as Error).message.replace(/^error parsing regexp: /, "");
    throw new SyntaxError(`This is not a regular expression that RE2 can run: ${reason}.`, { cause });
  }
}

function oneSpaced(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
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
