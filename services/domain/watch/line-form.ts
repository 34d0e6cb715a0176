import { diffArrays } from "diff";
import { checkPattern, matcherOf, shownLine } from "./patterns.ts";

/** What the texts of a line have in common: tokens in order, with `anyNumber` and `anyText` for what differs. */
export type LineForm = string[];

/** No page says these: they are no characters. */
const [anyNumber, anyText] = ["\ufdd0", "\ufdd1"];
/** Tokens that are compared; what follows them is any text. */
const maxTokens = 80;
/** A number is cut from the letters of a script without spaces, and from a word behind it. */
const token =
  /\p{N}[\p{N}.,:'’]*(?![\p{N}[\p{L}--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]]])|(?<![\p{L}\p{N}])\p{N}+(?=\p{L}{3,}(?![\p{L}\p{N}]))|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]+|[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]]+|\s+|[^\p{L}\p{N}\s]/gv;
const isNumber = /^\p{N}/u;

/** The form of a line that showed two texts, or of one that showed another text. By its links where their texts are equal. */
export function formOf(former: string, text: string): LineForm {
  const [a, b] = [shownLine(former), shownLine(text)];
  return a === b ? common(tokensOf(former), tokensOf(text)) : common(tokensOf(a), tokensOf(b));
}

/** The form with another text that its line shows. */
export function widened(form: LineForm, text: string): LineForm {
  const [shown, whole] = [shownLine(text), text].map(each => common(form, tokensOf(each)));
  return constants(whole) > constants(shown) ? (whole ?? form) : (shown ?? form);
}

function constants(form: LineForm = []): number {
  return form.filter(each => each !== anyText).length;
}

/** Whether a line differs in its numbers alone. */
export function isOfNumbers(form: LineForm): boolean {
  return form.includes(anyNumber) && !form.includes(anyText);
}

/** Letters that a pattern has at least, and at least where words differ, so that it is found in no other sentence. */
const [minWords, minWordsOfText] = [3, 20];
/** Tokens of a pattern, on both sides of the first one that differs. */
const [before, after] = [12, 24];

/**
 * The pattern for the option `ignore` that silences a line of this form, whatever its numbers; "" where its texts have too
 * little in common, or where it would silence one of the `others`.
 */
export function ignoreFor(form: LineForm, text: string, others: readonly string[] = []): string {
  const { part, isStart, isEnd } = partOf(form);
  const letters = part.join("").replace(/\P{L}/gu, "").length;
  if (letters < (part.includes(anyText) || form.includes(anyText) ? minWordsOfText : minWords)) return "";
  const longest = part.reduce((a, b) => (b.length > a.length ? b : a), "");
  const near = others.filter(each => each.includes(longest));
  const patterns = ["[\\d.,:]+", ".*"].map(
    number => `/${isStart ? "^" : ""}${sourceOf(part, number)}${isEnd ? "$" : ""}/`,
  );
  const found = patterns.find(pattern => isFound(pattern, text));
  return found === undefined || near.some(each => isFound(found, each)) ? "" : found;
}

function isFound(pattern: string, text: string): boolean {
  return checkPattern(pattern) === null && [text, shownLine(text)].some(matcherOf(pattern));
}

/** The part of a form that a pattern has, around what differs; and whether the line begins and ends with it. */
function partOf(form: LineForm): { part: LineForm; isStart: boolean; isEnd: boolean } {
  const isSpace = (each: string) => each.trim() === "";
  const whole = form.slice(
    form.findIndex(each => !isSpace(each)),
    form.findLastIndex(each => !isSpace(each)) + 1,
  );
  const differs = whole.findIndex(each => each === anyNumber || each === anyText);
  const from = Math.max(0, differs - before);
  const part = whole.slice(from, Math.max(0, differs) + after);
  return { part, isStart: from === 0, isEnd: from + part.length === whole.length };
}

function tokensOf(text: string): LineForm {
  const tokens = (text.slice(0, 2000).match(token) ?? []).map(each => (/^\s/.test(each) ? " " : each));
  return tokens.length > maxTokens ? [...tokens.slice(0, maxTokens), anyText] : tokens;
}

function common(a: LineForm, b: LineForm): LineForm {
  const [x, y] = [a.map(numberless), b.map(numberless)];
  const kept: LineForm = [];
  let at = 0;
  for (const { added, removed, count } of diffArrays(x, y)) {
    if (added || removed) kept.push(anyText);
    else for (let n = at; n < at + count; n += 1) kept.push(x[n] ?? "");
    if (!added) at += count;
  }
  return merged(kept);
}

function numberless(each: string): string {
  return isNumber.test(each) && /^[\p{N}.,:'’]+$/u.test(each) ? anyNumber : each;
}

/** Spaces between two unknown texts belong to them. */
function merged(form: LineForm): LineForm {
  const kept: LineForm = [];
  for (const each of form) {
    if (each === anyText) {
      while (kept.at(-1) === " " && kept.at(-2) === anyText) kept.pop();
      if (kept.at(-1) === anyText) continue;
    }
    kept.push(each);
  }
  return kept;
}

function sourceOf(form: LineForm, number: string): string {
  return form.map(each => (each === anyNumber ? number : each === anyText ? ".*" : escaped(each))).join("");
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
