import { digitsSource, parseNumber } from "../../../reader/recipe/numbers.ts";

const mostTries = 1000;
const letter = "[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Nd}]";
const goesBack = new RegExp(`${letter}$`, "u");
const goesOn = new RegExp(`^${letter}`, "u");

/** Whether words are in a text as whole words and numbers: `249` is not in `1,249.90`. */
export function isIn(text: string, words: string): boolean {
  if (words === "") return true;
  const [isWordAtStart, isWordAtEnd] = [goesOn.test(words), goesBack.test(words)];
  const [isDigitAtStart, isDigitAtEnd] = [/^\d/.test(words), /\d$/.test(words)];
  let at = -1;
  for (let tries = 0; tries < mostTries; tries += 1) {
    at = text.indexOf(words, at + 1);
    if (at === -1) return false;
    const [before, after] = [
      text.slice(Math.max(0, at - 2), at),
      text.slice(at + words.length, at + words.length + 2),
    ];
    const isCutBefore =
      (isWordAtStart && goesBack.test(before)) || (isDigitAtStart && /\d[.,']$/.test(before));
    const isCutAfter = (isWordAtEnd && goesOn.test(after)) || (isDigitAtEnd && /^[.,']\d/.test(after));
    if (!isCutBefore && !isCutAfter) return true;
  }
  return false;
}

const number = new RegExp(digitsSource, "gu");
/** Characters behind a number that may multiply it. */
const factorLength = 12;

/** The numbers of a text, as English and as German would read them. */
export function numbersIn(text: string): Set<number> {
  const found = new Set<number>();
  for (const { 0: digits, index } of text.matchAll(number)) {
    const sign = /[-\u2212]\s?\p{Sc}?$/u.test(text.slice(Math.max(0, index - 3), index)) ? -1 : 1;
    const readings = [digits, text.slice(index, index + digits.length + factorLength)];
    for (const reading of readings)
      for (const language of ["", "de"]) {
        const value = parseNumber(reading, language);
        if (value !== undefined) found.add(value).add(sign * value);
      }
  }
  return found;
}

/** Words as they are compared: without marks of Markdown and HTML entities, case, and the kinds of spaces, quotes and dashes. */
export function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\\*_`#|~>\u200b-\u200d\ufeff\u00ad]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
