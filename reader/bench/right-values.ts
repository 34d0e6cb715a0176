import type { Kind, StatedField } from "./stated-fields.ts";

export const signs: Record<string, RegExp> = {
  USD: /\$/,
  CAD: /\$/,
  AUD: /\$/,
  EUR: /€/,
  GBP: /£/,
  JPY: /[¥円]/,
  INR: /₹/,
};

/** How right an answer is, from 0 to 1: as a reader of the page would judge it. */
export function rightness({ kind, truth }: StatedField, answer: unknown): number {
  if (kind === "texts") return overlap(truth, Array.isArray(answer) ? answer : []);
  if (kind === "steps") return inOrder(truth, Array.isArray(answer) ? answer : []);
  return truth.some(text => isSame(kind, text, answer)) ? 1 : 0;
}

/** Letters and digits in lower case, words apart by one space. */
export function wordsOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function isSame(kind: Kind, truth: string, answer: unknown): boolean {
  if (kind === "price") return typeof answer === "number" && Math.abs(answer - Number(truth)) < 0.005;
  if (kind === "rating") return typeof answer === "number" && Math.abs(answer - Number(truth)) <= 0.0501;
  if (kind === "count") return answer === Number(truth);
  if (typeof answer !== "string") return false;
  if (kind === "minutes") return minutesOf(answer) === minutesOf(truth);
  if (kind === "moment")
    return truth.length > 16 ? Date.parse(answer) === Date.parse(truth) : answer.slice(0, 16) === truth;
  if (kind === "amounts") return answer.length <= 80 && amountsOf(answer).includes(Number(truth));
  if (kind === "choice") return answer === truth;
  if (kind === "day") return answer.slice(0, 10) === truth;
  if (kind === "currency")
    return answer.toUpperCase() === truth.toUpperCase() || signs[truth.toUpperCase()]?.test(answer) === true;
  const [a, b] = [wordsOf(truth), wordsOf(answer)];
  if (kind === "place") return `${b} `.startsWith(`${a} `) && answer.length <= 100;
  if (a === b || kind === "code") return a === b;
  return !/^(by|von|par|por) /.test(b) && isMostOf(a, b);
}

/** Tells whether one is a part of the other, in whole words, and more than half of it. */
function isMostOf(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return ` ${long} `.includes(` ${short} `) && short.length * 2 > long.length;
}

function overlap(truth: string[], answers: unknown[]): number {
  const wanted = new Set(truth.map(wordsOf));
  const given = new Set(answers.map(answer => wordsOf(String(answer))));
  const both = [...given].filter(text => wanted.has(text)).length;
  return both === 0 ? 0 : (2 * both) / (wanted.size + given.size);
}

/** Twice the longest common sequence, as a share of both lists. */
function inOrder(truth: string[], answers: unknown[]): number {
  const [wanted, given] = [truth.map(wordsOf), answers.map(answer => wordsOf(String(answer)))];
  let before = new Array<number>(given.length + 1).fill(0);
  for (const text of wanted) {
    const row = [0];
    for (const [at, own] of given.entries())
      row.push(own === text ? (before[at] ?? 0) + 1 : Math.max(row[at] ?? 0, before[at + 1] ?? 0));
    before = row;
  }
  const common = before.at(-1) ?? 0;
  return common === 0 ? 0 : (2 * common) / (wanted.length + given.length);
}

/** The minutes of an ISO 8601 duration. */
export function minutesOf(text: string): number | undefined {
  const [whole, days = 0, hours = 0, minutes = 0] = /^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?$/.exec(text) ?? [];
  return whole === undefined || whole === "P"
    ? undefined
    : (Number(days) * 24 + Number(hours)) * 60 + Number(minutes);
}

function amountsOf(text: string): number[] {
  return [...text.matchAll(/\d{1,3}(?:[.,'\s]\d{3})+|\d+/g)].map(([digits]) =>
    Number(digits.replace(/\D/g, "")),
  );
}

/** How pages write the kinds of employment. */
export const spellings: Record<string, string[]> = {
  FULL_TIME: ["full time", "vollzeit", "temps plein", "jornada completa"],
  PART_TIME: ["part time", "teilzeit", "temps partiel", "media jornada"],
};
