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
    typeof value === "number" ? value : readNumber(plain(value), machine ? "" : language, machine === true);
  return field.type === "integer" && !Number.isInteger(number) ? undefined : number;
}

/** ISO 8601 durations, as schema.org writes them, are read as minutes. */
function readNumber(text: string, language: string, machine: boolean): number | undefined {
  const duration = /^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:\d+S)?$/.exec(text);
  if (duration && text !== "P") {
    const [days = 0, hours = 0, minutes = 0] = duration.slice(1).map(part => Number(part ?? 0));
    return (days * 24 + hours) * 60 + minutes;
  }
  return machine && /^[-+]?\d*\.?\d+$/.test(text) ? Number(text) : parseNumber(text, language);
}

function toBoolean(text: string): boolean | undefined {
  const word = withoutVocabulary(text)
    .toLowerCase()
    .replace(/[\s_-]|[.!]$/g, "");
  if (no.has(word) || /^(outofstock|notavailable|nicht|ausverkauft|soldout)/.test(word)) return false;
  return yes.has(word) || /^(instock|auflager)/.test(word) ? true : undefined;
}

/** The longest allowed text that equals the value or is part of it as whole words. */
function choose(text: string, allowed: string[]): string | undefined {
  const squeezed = squeeze(withoutVocabulary(text));
  const same = allowed.find(option => squeeze(option) === squeezed);
  if (same !== undefined) return same;
  const words = ` ${spaced(text)} `;
  return allowed
    .filter(option => spaced(option) !== "" && words.includes(` ${spaced(option)} `))
    .sort((a, b) => b.length - a.length)[0];
}

function spaced(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function toUrl(text: string, base: string): string | undefined {
  const url = URL.parse(text, base);
  return url && /^(https?|mailto|tel):$/.test(url.protocol) ? url.href : undefined;
}

const months = [
  ["jan", "jän", "ene", "gen", "янв"],
  ["feb", "fév", "fev", "фев"],
  ["mar", "mär", "mrz", "maa", "мар"],
  ["apr", "avr", "abr", "апр"],
  ["may", "mai", "maj", "mag", "mei", "мая"],
  ["jun", "juin", "giu", "июн"],
  ["jul", "juil", "lug", "июл"],
  ["aug", "aoû", "ago", "авг"],
  ["sep", "set", "сен"],
  ["oct", "okt", "ott", "out", "окт"],
  ["nov", "ноя"],
  ["dec", "dez", "déc", "dic", "дек"],
];

interface Day {
  year: number;
  month: number;
  day: number;
}

/**
 * The date of a text as ISO 8601 (RFC 3339): `YYYY-MM-DD`, or with `withTime` a full date-time, in UTC when the text
 * names no offset. Reads ISO dates, `12 March 2024`, `March 12, 2024`, `12.03.2024` and `12/03/2024` (month first only
 * where the language is American English or none is known). Relative dates are not read: that takes a clock.
 */
export function parseDate(text: string, withTime: boolean, language = ""): string | undefined {
  const found = isoDay(text) ?? namedDay(text) ?? numericDay(text, language);
  if (!found || !exists(found)) return undefined;
  const date = `${pad(found.year, 4)}-${pad(found.month)}-${pad(found.day)}`;
  return withTime ? `${date}T${timeOf(text)}` : date;
}

function isoDay(text: string): Day | undefined {
  return toDay(/(?<!\d)(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?!\d)/.exec(text)?.groups);
}

function namedDay(text: string): Day | undefined {
  const dayFirst =
    /(?<!\d)(?<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:de\s+|of\s+)?(?<name>\p{L}{3,})\.?,?\s+(?:de\s+)?(?<year>\d{4})/u;
  const monthFirst = /(?<name>\p{L}{3,})\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})/u;
  const groups = (dayFirst.exec(text) ?? monthFirst.exec(text))?.groups;
  const name = groups?.name?.toLowerCase() ?? "";
  const month = months.findIndex(starts => starts.some(start => name.startsWith(start))) + 1;
  return month === 0 ? undefined : toDay({ ...groups, month: String(month) });
}

function numericDay(text: string, language: string): Day | undefined {
  const groups = /(?<!\d)(?<first>\d{1,2})(?<mark>[./-])(?<second>\d{1,2})\k<mark>(?<year>\d{4})(?!\d)/.exec(
    text,
  )?.groups;
  if (!groups) return undefined;
  const { first = "", second = "", year = "", mark } = groups;
  const american = mark === "/" && /^(en-us|en|)$/i.test(language);
  const monthFirst = Number(second) > 12 || (american && Number(first) <= 12);
  return toDay(monthFirst ? { year, month: first, day: second } : { year, month: second, day: first });
}

function toDay(groups: Record<string, string | undefined> | undefined): Day | undefined {
  if (!groups) return undefined;
  return { year: Number(groups.year), month: Number(groups.month), day: Number(groups.day) };
}

function exists({ year, month, day }: Day): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function timeOf(text: string): string {
  const groups =
    /(?:^|[T\s,])(?<hours>\d{1,2}):(?<minutes>\d{2})(?::(?<seconds>\d{2})(?:\.\d+)?)?\s*(?<half>[ap]\.?m)?\s*(?<offset>Z|[+-]\d{2}:?\d{2})?/i.exec(
      text,
    )?.groups;
  if (!groups || Number(groups.hours) > 23 || Number(groups.minutes) > 59) return "00:00:00Z";
  const { hours = "0", minutes, seconds = "00", half, offset = "Z" } = groups;
  const late = half?.toLowerCase().startsWith("p") ? 12 : 0;
  const hour = half ? (Number(hours) % 12) + late : Number(hours);
  return `${pad(hour)}:${minutes}:${seconds}${offset.toUpperCase().replace(/^(...)(\d\d)$/, "$1:$2")}`;
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, "0");
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
