import { isAscii } from "../content/tokens.ts";
import { moneyAfter, moneyBefore, ofThreeDecimals } from "./currencies.ts";
import { type Factor, factorAt } from "./factors.ts";

/** Languages whose numbers have a decimal comma. */
const commaLanguages = new Set(
  "bg bs ca cs da de el es et eu fi fr gl hr hu id is it lt lv nb nl nn no pl pt ro ru sk sl sr sv tr uk vi".split(
    " ",
  ),
);

/** A number as it is written, as the source of an expression. */
export const digitsSource =
  "(?:(?<![\\p{L}\\p{N}.)])\\.)?\\d(?:[\\d.,'’]|[ \\u00a0\\u2009\\u202f](?=\\d{3}(?!\\d)))*";

/** A minus counts only at the start of a word: `A-5` has a hyphen. A dash is one where it touches the number. */
const numeral = new RegExp(
  `(?<minus>(?<![\\p{L}\\p{N}])[-\\u2212]\\s?|(?<![\\p{L}\\p{N}]\\s?)\\u2013)?(?:\\p{Sc}\\s?)?(?<digits>${digitsSource})`,
  "u",
);

/** A number that was found, in the middle of a text. */
interface Found {
  digits: string;
  /** Some characters on both sides. */
  before: string;
  after: string;
  /** All of it. */
  text: string;
  language: string;
}

/**
 * The first number of a text such as `1.299,00 €`, `$1,299.00`, `1 299` or `1.2 million`, in any digits. A single separator
 * before three digits is of thousands where a currency is beside it, unless that has three decimals or the price is of a
 * litre; elsewhere it is read by the page's language (`1.299` is 1299 in German, 1.299 in English). Undefined without one.
 */
export function parseNumber(given: string, language = ""): number | undefined {
  const text = plainDigits(given);
  const match = numeral.exec(text);
  if (match === null) return undefined;
  const { minus, digits: found = "" } = match.groups ?? {};
  const digits = found.replace(/[.,'’]+$/, "");
  const start = match.index + match[0].length - found.length;
  const end = start + digits.length;
  const before = text.slice(Math.max(0, start - 14), start);
  const value = numberFrom({ digits, before, after: text.slice(end, end + 60), text, language });
  if (!Number.isFinite(value)) return undefined;
  return minus !== undefined || /\p{Sc}\s?[-\u2212]$/u.test(before) ? -value : value;
}

function numberFrom(found: Found): number {
  const { before, after, language, digits } = found;
  const isMoney = moneyBefore.test(before) || moneyAfter.test(after);
  const beside = { before, isMoney, language };
  const factor = factorAt(after, beside) ?? factorOfSpan(after, beside);
  const plain = normalise(digits, markOf(found, isMoney && factor === undefined));
  if (factor === undefined) return Number(withCents(plain, after));
  const whole = Number(`${plain}e${factor.power}`);
  const rest = factor.isOpen ? /^\d[\d,]*|^ \d[\d,]*(?=[만万])/.exec(after.slice(factor.length)) : null;
  return rest === null ? whole : whole + numberFrom(restOf(found, factor.length, rest[0]));
}

/** `1万2800円`: a number in two parts. */
function restOf(found: Found, skipped: number, digits: string): Found {
  const after = found.after.slice(skipped + digits.length);
  return { ...found, digits: digits.trim(), before: "", after };
}

/** `5 to 10 million`: the factor is behind the second number. */
function factorOfSpan(after: string, beside: Parameters<typeof factorAt>[1]): Factor | undefined {
  const span = /^\s?(?:[-–—~]|to|bis|à|a)\s?\d[\d.,]*/.exec(after);
  const factor = span ? factorAt(after.slice(span[0].length), beside) : undefined;
  return factor && { power: factor.power, length: 0 };
}

const ofCents = /^\s?(?:¢|[Cc]ents?(?!\p{L})|c[eé]nt(?:imes|imos|esimi)(?!\p{L}))/u;
const perUnit = /^\s?\S{1,10}\s?(?:\/|per\s|pro\s|je\s)/;

/** `99¢` is 0.99, `5€99` is 5.99. A price of cents for each unit stays in cents. */
function withCents(plain: string, after: string): string {
  const behindSign = /^[€$£](\d\d)(?!\d)/.exec(after)?.[1];
  if (behindSign !== undefined && !plain.includes(".")) return `${plain}.${behindSign}`;
  return ofCents.test(after) && !perUnit.test(after) ? `${plain}e-2` : plain;
}

function normalise(digits: string, decimal: string): string {
  const parts = decimal === "" ? [digits] : digits.split(decimal);
  const fraction = parts.length > 1 ? parts.pop() : undefined;
  const whole = parts.join("").replace(/\D/g, "");
  return fraction === undefined ? whole : `${whole}.${fraction.replace(/\D/g, "")}`;
}

/** The decimal sign; empty where there is none. */
function markOf(found: Found, isMoney: boolean): string {
  const { digits } = found;
  const comma = digits.lastIndexOf(",");
  const dot = digits.lastIndexOf(".");
  if (comma >= 0 && dot >= 0) return comma > dot ? "," : ".";
  const separator = comma >= 0 ? "," : ".";
  const parts = digits.split(separator);
  if (parts.length !== 2) return "";
  const [whole = "", fraction = ""] = parts;
  if (fraction.length !== 3 || whole.length > 3 || /^0*$/.test(whole)) return separator;
  if (isMoney) return hasThreeDecimals(found, separator) ? separator : "";
  return isDecimal(separator, found.language) ? separator : "";
}

function isDecimal(separator: string, language: string): boolean {
  return (separator === ",") === commaLanguages.has(language.slice(0, 2).toLowerCase());
}

const ofFuel =
  /^.{0,12}?(?:\/|per\s|pro\s|je\s|par\s|al\s|por\s)\s?(?:l|ltr|lit(?:er|re|ro)s?|kwh|gal(?:lon)?s?|m³|m3|min(?:ute)?|kg|sms)(?!\p{L})/iu;
const fuels =
  /(?<!\p{L})(?:diesel|benzin|benzina|gasolina|gasóleo|gazole|essence|petrol|gasoline|fuel|sprit|e10|e5|lpg|autogas|kwh|strompreis)(?!\p{L})/iu;

/** `EUR/USD 1.085`. */
const ofRate = /[A-Z]{3}\s?\/\s?[A-Z]{3}[\s:=]*$/;

/** Dinars have a thousand parts, fuel has prices of a tenth of a cent, and rates have any decimals. */
function hasThreeDecimals({ before, after, text, language }: Found, separator: string): boolean {
  if (ofRate.test(before)) return separator === "." || isDecimal(separator, language);
  if (ofFuel.test(after) || fuels.test(text.slice(0, 400))) return true;
  if (!ofThreeDecimals.test(before + after.slice(0, 8))) return false;
  return separator === "." || language === "" || isDecimal(separator, language);
}

/** The text with digits and marks of other scripts as those of ASCII; a superscript of cents gets its point. */
export function plainDigits(text: string): string {
  if (isAscii(text)) return text;
  return text
    .replace(/[\uff01-\uff5e]/g, wide => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\uffe0\uffe1\uffe5\uffe6\u3000]/g, wide => widths[wide] ?? wide)
    .replace(/[\u066b\u066c]/g, mark => (mark === "\u066b" ? "." : "'"))
    .replace(/\p{Nd}/gu, digit => (digit <= "9" ? digit : String(digitOf(digit.codePointAt(0) ?? 0))))
    .replace(/(\d)([⁰¹²³⁴-⁹]{2})(?=\s?\p{Sc})/gu, (_, digit, cents) => `${digit}.${lowered(cents)}`)
    .replace(/(\p{Sc}\s?\d+)([⁰¹²³⁴-⁹]{2})/gu, (_, amount, cents) => `${amount}.${lowered(cents)}`);
}

const widths: Record<string, string> = { "￠": "¢", "￡": "£", "￥": "¥", "￦": "₩", "\u3000": " " };
const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function lowered(digits: string): string {
  return [...digits].map(digit => superscripts.indexOf(digit)).join("");
}

/** Digits of a script are ten in a row, from 0. */
function digitOf(code: number): number {
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return value;
}
