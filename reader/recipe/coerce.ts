import { parseDate } from "./dates.ts";
import { isoDuration, minutesIn } from "./durations.ts";
import { employmentIn } from "./employment.ts";
import { readAs } from "./read-as.ts";
import type { Field } from "./recipe.ts";
import { squeeze } from "./text-of.ts";

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
  if (text === "") return undefined;
  if (field.enum) return choose(text, field.enum);
  if (field.format === "uri") return toUrl(text, base);
  if (field.format === "email") return /[^\s<>:]+@[^\s<>?]+\.[^\s<>?]+/.exec(text)?.[0];
  if (field.format === "duration") return toDuration(text);
  if (field.format) return parseDate(text, field.format === "date-time", language);
  return withoutVocabulary(text);
}

/** Linked data states a value alone; a text of the page may hold more. */
function narrowed(raw: Raw, { as, jsonld, microdata }: Field, language: string): Raw {
  if (as === undefined || jsonld !== undefined || microdata !== undefined) return raw;
  return { value: readAs(as, plain(raw.value), language) };
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
  return machine && /^[-+]?\d*\.?\d+$/.test(text) ? Number(text) : parseNumber(text, language);
}

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

/** Languages whose numbers have a decimal comma. */
const commaLanguages = new Set(
  "bg bs ca cs da de el es et eu fi fr gl hr hu id is it lt lv nb nl nn no pl pt ro ru sk sl sr sv tr uk vi".split(
    " ",
  ),
);

/** A minus counts only at the start of a word: `A-5` has a hyphen. */
const numeral =
  /(?:(?<![\p{L}\p{N}])[-\u2212]\s?)?\p{Sc}?\s?\d(?:[\d.,'\u2019]|[ \u00a0\u202f](?=\d{3}(?!\d)))*/u;

/**
 * The first number of a text such as `1.299,00 €`, `$1,299.00` or `1 299`. A single separator before three digits is
 * read by the page's language (`1.299` is 1299 in German, 1.299 in English). Undefined when there is none.
 */
function parseNumber(text: string, language = ""): number | undefined {
  const match = numeral.exec(text)?.[0];
  if (match === undefined) return undefined;
  const negative = /^[-\u2212]/.test(match);
  const digits = match.replace(/[^\d.,]/g, "").replace(/[.,]+$/, "");
  const value = Number(normalise(digits, commaLanguages.has(language.slice(0, 2).toLowerCase())));
  if (!Number.isFinite(value)) return undefined;
  return negative ? -value : value;
}

function normalise(digits: string, decimalComma: boolean): string {
  const decimal = decimalSeparator(digits, decimalComma);
  const parts = decimal === "" ? [digits] : digits.split(decimal);
  const fraction = parts.length > 1 ? parts.pop() : undefined;
  const whole = parts.join("").replace(/[.,]/g, "");
  return fraction === undefined ? whole : `${whole}.${fraction}`;
}

function decimalSeparator(digits: string, decimalComma: boolean): string {
  const comma = digits.lastIndexOf(",");
  const dot = digits.lastIndexOf(".");
  if (comma >= 0 && dot >= 0) return comma > dot ? "," : ".";
  const separator = comma >= 0 ? "," : ".";
  const parts = digits.split(separator);
  if (parts.length !== 2) return "";
  const [whole = "", fraction = ""] = parts;
  if (fraction.length !== 3 || whole.length > 3 || /^0*$/.test(whole)) return separator;
  return (separator === ",") === decimalComma ? separator : "";
}
