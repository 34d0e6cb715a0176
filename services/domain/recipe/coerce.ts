import { parseDate } from "./parse-date.ts";
import { parseNumber } from "./parse-number.ts";
import type { Field } from "./recipe.ts";
import { squeeze } from "./words.ts";

/** What a page states, before it has a type: text for people, or a value written for machines (JSON-LD, attributes). */
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
export function coerce(raw: Raw, field: Field, base: string, language: string): unknown {
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

/** The allowed text that the value is, or that it holds as whole words; the longest wins. */
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
