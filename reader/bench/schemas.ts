import { type Outcome, verdict } from "../../test/bench/compare.ts";
import { parsePage } from "../recipe/parse-page.ts";
import { readJson } from "../recipe/read-json.ts";
import { type SchemaPage, schemaOf } from "../test/fixtures/schemas/page.ts";
import { schemaPages } from "../test/fixtures/schemas/pages.ts";
import { wordsOf } from "./right-values.ts";

/** The values of a page: those that are right, those that are not, and those that were not found. */
export interface Score {
  right: number;
  wrong: string[];
  missing: string[];
}

const bars = { f1: 0.85, precision: 0.95 };

/** JSON without a model from pages of one's own without structured data, of as many kinds as schemas ask for. */
export const schemas = (): Outcome[] =>
  (["developed on", "held out"] as const).flatMap(part => {
    const score = scoreOf(schemaPages[part]);
    const text = `schemas, ${part}, ${schemaPages[part].length} pages: ${figures(score)}`;
    return [
      verdict(text, f1(score), ">=", bars.f1),
      verdict(`schemas, ${part}, precision`, precision(score), ">=", bars.precision),
      ...linesOf(score),
    ];
  });

function linesOf({ wrong }: Score): Outcome[] {
  return wrong.map(line => ({ line: `  wrong: ${line}` }));
}

export function scoreOf(pages: SchemaPage[]): Score {
  const score: Score = { right: 0, wrong: [], missing: [] };
  for (const page of pages) compare(page.truth, answerOf(page), page.name, page.url, score);
  return score;
}

export function answerOf({ html, url, shape }: SchemaPage): Record<string, unknown> {
  const result = readJson(() => parsePage(html, url), { schema: schemaOf(shape) });
  return result.ok ? result.json : {};
}

export function f1(score: Score): number {
  const asked = score.right + score.wrong.length + score.missing.length;
  const answered = score.right + score.wrong.length;
  return asked + answered === 0 ? 0 : (2 * score.right) / (asked + answered);
}

export function precision({ right, wrong }: Score): number {
  return right + wrong.length === 0 ? 0 : right / (right + wrong.length);
}

export function figures(score: Score): string {
  const { right, wrong, missing } = score;
  return `F1 ${f1(score).toFixed(3)} (P ${precision(score).toFixed(3)}), ${right} right, ${wrong.length} wrong, ${missing.length} missing`;
}

/** Rows are compared in their order; a list of texts is one value. */
function compare(truth: unknown, answer: unknown, path: string, url: string, score: Score): void {
  if (isRows(truth) || isRows(answer)) {
    const [wanted, given] = [truth, answer].map(rows => (Array.isArray(rows) ? rows : []));
    const length = Math.max(wanted?.length ?? 0, given?.length ?? 0);
    for (let at = 0; at < length; at += 1) compare(wanted?.[at], given?.[at], `${path}[${at}]`, url, score);
  } else if (isObject(truth) || isObject(answer)) {
    const [wanted, given] = [truth, answer].map(value => (isObject(value) ? value : {}));
    for (const name of new Set([...Object.keys(wanted ?? {}), ...Object.keys(given ?? {})]))
      compare(wanted?.[name], given?.[name], `${path}.${name}`, url, score);
  } else if (answer === undefined || answer === null) {
    if (truth !== undefined) score.missing.push(`${path}: ${JSON.stringify(truth)}`);
  } else if (isSame(truth, answer, url)) score.right += 1;
  else score.wrong.push(`${path}: ${JSON.stringify(answer)} for ${JSON.stringify(truth)}`);
}

function isRows(value: unknown): boolean {
  return Array.isArray(value) && value.some(isObject);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSame(truth: unknown, answer: unknown, url: string): boolean {
  if (Array.isArray(truth))
    return (
      Array.isArray(answer) &&
      truth.length === answer.length &&
      truth.every((text, at) => isSame(text, answer[at], url))
    );
  if (typeof truth !== "string" || typeof answer !== "string") return truth === answer;
  return wordsOf(truth) === wordsOf(answer) || URL.parse(truth, url)?.href === answer;
}
