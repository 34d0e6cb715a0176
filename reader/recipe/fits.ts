import { applyField } from "./apply-recipe.ts";
import { type Concept, concepts } from "./concepts.ts";
import { parseDate } from "./dates.ts";
import { readForm } from "./forms.ts";
import { amount } from "./judges.ts";
import { partsOf } from "./line-parts.ts";
import type { Site } from "./name-index.ts";
import type { Field } from "./recipe.ts";
import type { Want } from "./want.ts";

/** Whether a value may be what is wanted: no longer than such values are, and nothing else beside it. */
export function fits(want: Want, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  const known: Concept | undefined = want.concept && concepts[want.concept];
  if (typeof value === "string" && value.length > (known?.long ? 20_000 : 300)) return false;
  if (want.concept === "title" && !/\p{L}/u.test(String(value))) return false;
  if (want.concept === "currency" && typeof value === "string" && value.length > 12) return false;
  if (want.concept === "employmentType" && typeof value === "string" && isLineOfFacts(value)) return false;
  if (isClock(want) && !/\d{1,2}[:h.]\d{2}|\d\s?[ap]\.?m|\d\s?Uhr/i.test(String(value))) return false;
  return want.accepts(value);
}

/** The place or the pay of a job beside its kind. */
function isLineOfFacts(text: string): boolean {
  return text.length > 60 || (/\d{2}/.test(text) && amount.test(text)) || /,\s.*,\s|[·|•]/.test(text);
}

/** A time of day that is wanted as a text. */
function isClock({ name, kind, format, concept }: Want): boolean {
  const isTime = kind === "string" && format === undefined && concept === undefined;
  return isTime && /(?:^|_)(?:start|end|opening|closing|departure|arrival|begin)_?time$/i.test(name);
}

/** Where a date is wanted as a text, the part of `Anna K., 3 May 2026` that is one comes before the whole. */
export function* datedParts(
  { concept, kind, format }: Want,
  site: Site,
  candidates: Iterable<Field>,
): Generator<Field> {
  const isText = concept === "date" && kind === "string" && format === undefined;
  for (const field of candidates) {
    const value = isText && !field.part ? applyField(field, site) : undefined;
    const parts = typeof value === "string" && value.length <= 80 ? partsOf(value) : [];
    const isDate = (text: string) =>
      /\d{4}/.test(text) && parseDate(text, false, site.page.language) !== undefined;
    const at = parts.findIndex(isDate);
    const isNamed = parts.some(
      part => /^\p{Lu}[^\d]*$/u.test(part) && readForm("weekday", part) === undefined,
    );
    if (at >= 0 && isNamed) yield { ...field, part: at + 1 };
    yield field;
  }
}
