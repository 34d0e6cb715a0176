/** Languages whose numbers have a decimal comma. */
const commaLanguages = new Set(
  "bg bs ca cs da de el es et eu fi fr gl hr hu id is it lt lv nb nl nn no pl pt ro ru sk sl sr sv tr uk vi".split(
    " ",
  ),
);

/** A minus only counts at the start of a word: the hyphen of `A-5` is none. */
const numeral =
  /(?:(?<![\p{L}\p{N}])[-\u2212]\s?)?\p{Sc}?\s?\d(?:[\d.,'\u2019]|[ \u00a0\u202f](?=\d{3}(?!\d)))*/u;

/**
 * The first number of a text such as `1.299,00 €`, `$1,299.00` or `1 299`. A single separator before three digits is
 * read by the page's language (`1.299` is 1299 in German, 1.299 in English). Undefined when there is none.
 */
export function parseNumber(text: string, language = ""): number | undefined {
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
