import { parseDate } from "./dates.ts";
import { isoDuration, minutesIn } from "./durations.ts";
import { employmentIn } from "./employment.ts";
import { partsOf } from "./line-parts.ts";
import { amountValue, priceIn } from "./money.ts";
import { parseNumber } from "./numbers.ts";
import { maxText, readAs } from "./read-as.ts";
import type { Field } from "./recipe.ts";
import { squeeze } from "./text-of.ts";
import { measureIn } from "./units.ts";

/** A value of a page before it has a type: text for people, or a value for machines (JSON-LD, attributes). */
export interface Raw {
  value: unknown;
  /** Written for machines: the decimal sign is the dot. */
  machine?: boolean;
}

const yes = new Set(
  "true yes ja oui sí si да 1 on instock available lieferbar verfügbar auflager ✓ ✔".split(" "),
);
const no = new Set(
  "false no nein non нет 0 off outofstock soldout unavailable discontinued ausverkauft nichtlieferbar nichtverfügbar ✗ ✘".split(
    " ",
  ),
);

/** A raw value as the field's type, or undefined when it cannot be read as such. `base` makes URLs absolute. */
export function coerce(given: Raw, field: Field, base: string, language: string): unknown {
  const raw = narrowed(given, field, language);
  const { value } = raw;
  if (field.type === "boolean") return typeof value === "boolean" ? value : toBoolean(plain(value));
  if (field.type === "number" || field.type === "integer") return toNumber(raw, field, language);
  const text = plain(value);
  // A dash says that there is nothing.
  if (/^[-–—\u2212]*$/.test(text)) return undefined;
  if (field.enum) return choose(text, field.enum);
  if (field.format === "uri") return toUrl(text, base);
  if (field.format === "email") return /[^\s<>:]+@[^\s<>?]+\.[^\s<>?]+/.exec(text)?.[0];
  if (field.format === "duration") return toDuration(text);
  if (field.format) return parseDate(text, field.format === "date-time", language);
  return withoutVocabulary(text);
}

/** Linked data states a value alone; a text of the page may hold more. */
function narrowed(given: Raw, { as, type, jsonld, microdata, part, unit }: Field, language: string): Raw {
  const raw = part === undefined ? given : { value: partsOf(plain(given.value))[part - 1] };
  if (unit !== undefined && (type === "number" || type === "integer"))
    return { value: measureIn(plain(raw.value), unit, raw.machine ? "" : language) };
  if (as === undefined || jsonld !== undefined || microdata !== undefined) return raw;
  const text = plain(raw.value);
  if (as !== "price" || (type !== "number" && type !== "integer"))
    return { value: readAs(as, text, language) };
  const price = priceIn(text.slice(0, maxText));
  return { value: price && amountValue(price, text, language) };
}

/** `https://schema.org/InStock` is how linked data writes `InStock`. */
function withoutVocabulary(text: string): string {
  return text.replace(/^https?:\/\/schema\.org\/(?=[A-Z]\w+$)/, "");
}

function plain(value: unknown): string {
  return typeof value === "object" || value === undefined ? "" : String(value).replace(/\s+/g, " ").trim();
}

function toNumber({ value, machine }: Raw, field: Field, language: string): number | undefined {
  if (typeof value === "boolean") return undefined;
  const number =
    typeof value === "number"
      ? value
      : readNumber(plain(value), field, machine ? "" : language, machine === true);
  return field.type === "integer" && !Number.isInteger(number) ? undefined : number;
}

/** Durations are read as minutes: those in ISO 8601, as schema.org writes them, and those of a field that has one. */
function readNumber(text: string, { as }: Field, language: string, machine: boolean): number | undefined {
  const minutes = as === "duration" || text.startsWith("P") ? minutesIn(text) : undefined;
  if (minutes !== undefined) return minutes;
  if (machine && /^[-+]?\d*\.?\d+$/.test(text)) return Number(text);
  const [, power] = /^[-+\u2212]?\p{Sc}?\s?\d[\d.,]*\s?([KMBT])$/u.exec(text) ?? [];
  const plain = parseNumber(power === undefined ? text : text.slice(0, -1), language);
  return plain === undefined || power === undefined ? plain : Number(`${plain}e${powers[power]}`);
}

/** `3.2B` alone: a letter that is a factor only where nothing else follows. */
const powers: Record<string, number> = { K: 3, M: 6, B: 9, T: 12 };

function toBoolean(text: string): boolean | undefined {
  const word = withoutVocabulary(text)
    .toLowerCase()
    .replace(/[\s_-]|[.!]$/g, "");
  if (no.has(word) || /^(outofstock|notavailable|nicht|ausverkauft|soldout)/.test(word)) return false;
  return yes.has(word) || /^(instock|auflager)/.test(word) ? true : undefined;
}

/** The longest allowed text that equals the value, is part of it as whole words, or means the same employment. */
function choose(text: string, allowed: string[]): string | undefined {
  const squeezed = squeeze(withoutVocabulary(text));
  const same = allowed.find(option => squeeze(option) === squeezed);
  if (same !== undefined) return same;
  const words = ` ${spaced(text)} `;
  const part = allowed
    .filter(option => spaced(option) !== "" && words.includes(` ${spaced(option)} `))
    .sort((a, b) => b.length - a.length)[0];
  const employment = part === undefined ? employmentIn(text) : undefined;
  return part ?? (employment && allowed.find(option => employmentIn(option) === employment));
}

function spaced(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function toDuration(text: string): string | undefined {
  const minutes = minutesIn(text);
  return minutes === undefined ? undefined : isoDuration(minutes);
}

function toUrl(text: string, base: string): string | undefined {
  const url = URL.parse(text, base);
  return url && /^(https?|mailto|tel):$/.test(url.protocol) ? url.href : undefined;
}
