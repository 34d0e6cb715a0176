import { type FieldError, fail } from "../../contracts/errors.ts";
import type { Rule } from "../../contracts/schema.ts";

/** Firecrawl's API has two versions in use; their options have other names here and there. */
export type Version = "v1" | "v2";

/**
 * What becomes of an option. `same`: it does what it does there. `differs`: `note` says how. `ignored`: it changes nothing
 * here. `refused`: a 400 that names it, unless its value asks for nothing.
 */
type Verdict = "same" | "differs" | "ignored" | "refused";

export interface Option {
  /** Its type; checked before the translation reads it. */
  rule: Rule;
  verdict: Verdict;
  /** The version that has the option; absent where both have it. */
  only?: Version;
  /** Our field that it becomes, so that errors of ours name theirs. */
  field?: string;
  note?: string;
  /** For refused options: the values that ask for nothing, besides false and empty ones. */
  harmless?: readonly unknown[];
}

/** The options of one operation, by name. The guide's tables are these lists. */
export type Options = Readonly<Record<string, Option>>;

type Json = Record<string, unknown>;

/** A text, a number, a flag, a list of texts, an object, or anything: the rules of options. All may be left out. */
export const rules = {
  text: { type: "string", optional: true, max: 4096 },
  number: { type: "number", optional: true },
  flag: { type: "boolean", optional: true },
  texts: { type: "array", optional: true, items: { type: "string" } },
  object: { type: "object", optional: true },
  any: { type: "any", optional: true },
} as const satisfies Record<string, Rule>;

export const same = (rule: Rule, field?: string, note?: string): Option => ({
  rule,
  verdict: "same",
  ...(field && { field }),
  ...(note && { note }),
});
export const differs = (rule: Rule, field: string | undefined, note: string): Option => ({
  ...same(rule, field, note),
  verdict: "differs",
});
export const ignored = (note: string): Option => ({ rule: rules.any, verdict: "ignored", note });
export const refused = (note: string, harmless: readonly unknown[] = []): Option => ({
  rule: rules.any,
  verdict: "refused",
  note,
  harmless,
});
export const only = (version: Version, option: Option): Option => ({ ...option, only: version });

/** The options that a version has. */
export function optionsOf(options: Options, version: Version): Options {
  return Object.fromEntries(
    Object.entries(options).filter(([, option]) => (option.only ?? version) === version),
  );
}

/** The rules of a body with these options. Names that are not among them pass here: `refuseOthers` answers for them. */
export function rulesOf(options: Options, version: Version): Record<string, Rule> {
  return Object.fromEntries(
    Object.entries(optionsOf(options, version)).map(([name, { rule }]) => [name, rule]),
  );
}

/** Our fields and their names for them, below `at`. */
export function fieldsOf(options: Options, at = ""): [ours: string, theirs: string][] {
  return Object.entries(options).flatMap(([name, { field }]) =>
    field ? [[field, at + name] as [string, string]] : [],
  );
}

/** Throws a 400 that names every option that Magpie does not have, rather than leave out in silence what it asks for. */
export function refuseOthers(options: Options, body: Json, version: Version, at = ""): void {
  const known = optionsOf(options, version);
  const details = Object.entries(body).flatMap(([name, value]) =>
    refusalOf(Object.hasOwn(known, name) ? known[name] : undefined, at + name, value),
  );
  const [first] = details;
  if (first) throw fail("validation_failed", first.message, { details });
}

function refusalOf(option: Option | undefined, field: string, value: unknown): FieldError[] {
  if (!option) return [refusal(field, `Magpie does not know the option \`${field}\`.`)];
  if (option.verdict !== "refused" || asksForNothing(value, option.harmless)) return [];
  return [refusal(field, `Magpie does not have the option \`${field}\`: ${option.note}`)];
}

/** A refusal of one option, for what depends on its value. */
export function refuse(field: string, why: string): Error {
  const details = [refusal(field, `Magpie does not have \`${field}\`: ${why}`)];
  return fail("validation_failed", details[0]?.message ?? why, { details });
}

function refusal(field: string, message: string): FieldError {
  return { field, code: "not_supported", message };
}

/** Whether a value of an option changes nothing. */
export function asksForNothing(value: unknown, harmless: readonly unknown[] = []): boolean {
  if (value === undefined || value === null || value === false || value === "" || harmless.includes(value))
    return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
