import { parseDate } from "./dates.ts";

/** Names of languages, in themselves and in English, as books and courses state theirs. */
const languageNames = new Set(
  (
    "english german french spanish italian portuguese dutch swedish norwegian danish finnish polish czech russian " +
    "ukrainian greek turkish arabic hebrew chinese japanese korean hindi hungarian romanian bulgarian croatian latin " +
    "catalan irish welsh icelandic vietnamese thai indonesian deutsch englisch französisch spanisch italienisch " +
    "français anglais allemand espagnol español inglés alemán francés italiano inglese tedesco nederlands engels duits " +
    "português svenska norsk dansk suomi polski русский українська türkçe العربية עברית 中文 日本語 한국어"
  ).split(" "),
);

/** What a text is known to state by its form alone, whatever stands around it. */
export const forms = [
  ...([
    "version",
    "license",
    "doi",
    "isbn",
    "phone",
    "method",
    "path",
    "username",
    "period",
    "year",
  ] as const),
  ...([
    "time",
    "opens",
    "closes",
    "least",
    "most",
    "percent",
    "weekday",
    "undated",
    "unnumbered",
    "languageName",
  ] as const),
  ...(["signed", "symbol", "stock", "address"] as const),
] as const;
export type Form = (typeof forms)[number];

const clock =
  "(?:\\d{1,2}[:h]\\d{2}(?:\\s?[ap]\\.?m\\.?)?|\\d{1,2}\\.\\d{2}(?=\\s?(?:[ap]\\.?m|Uhr)))(?![\\d.:])";
const times = new RegExp(`(?<![\\d.,:])${clock}|(?<![\\d.,:])\\d{1,2}\\s?[ap]\\.?m\\.?(?!\\p{L})`, "giu");
const amounts = /(?<![\p{L}\p{N}.,])\d[\d.,'’\u00a0\u202f]*(?:\s\d{3}(?!\d))*(?:\s?[kKM](?!\p{L}))?/gu;
const span = /\d\s?[^\d\s]{0,3}\s?(?:-|–|—|to|bis|à|a|and|und|et|y)\s?[^\d\s]{0,3}\s?\d/iu;

const patterns: Record<Exclude<Form, Judged>, RegExp> = {
  version:
    /(?<![\p{L}\p{N}.,$€£/])v?(\d{1,4}(?:\.\d{1,4}){1,3}(?:[-+](?:alpha|beta|rc|pre|dev|next|canary|b|a)[\w.-]*)?)(?![\p{L}\p{N}%€$£°]|[.,]\d|\s?(?:%|€|\p{Ll}+\/|out of))/iu,
  license:
    /(?<![\p{L}\p{N}-])((?:MIT|ISC|Apache(?:[- ]License)?(?:,? Version)?[- ]2\.0|(?:0BSD|BSD(?:-[234]-Clause)?)|[AL]?GPL(?:[- ]?v?[23](?:\.\d)?)?(?:-only|-or-later|\+)?|MPL[- ]2\.0|Unlicense|CC0(?:-1\.0)?|CC[- ]BY(?:[- ](?:SA|NC|ND))*(?:[- ]\d\.\d)?|EUPL-1\.2|Zlib|BSL-1\.\d|WTFPL|Artistic-2\.0|EPL-2\.0))(?![\p{L}\p{N}])/u,
  doi: /(?<![\d.])(10\.\d{4,9}\/[^\s"<>]*[^\s"<>.,;:)\]])/,
  isbn: /(?<![\d-])((?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx])(?![\d-])/,
  phone:
    /(?<![\p{L}\p{N}.,/-])((?:\+|00)\d[\d\s()./-]{6,18}\d|\(?0\d[\d\s()./-]{5,16}\d|\(\d{3}\)\s?\d{3}[-. ]\d{4}|\d{3}[-.]\d{3}[-.]\d{4})(?![\p{L}\p{N}])/u,
  method: /(?<![\p{L}\p{N}_-])(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)(?![\p{L}\p{N}_-])/u,
  path: /^(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+)?(?:https?:\/\/[^\s/]+)?(\/[\w{}:~.$*-]+(?:\/[\w{}:~.$*-]+)*\/?)$/,
  username: /(?:^|[\s(])@([A-Za-z0-9_][A-Za-z0-9_.-]{1,30}[A-Za-z0-9_])(?![\w@])/,
  period:
    /(?:^(?=\p{L}+$)|\/|\b(?:per|pro|im|par|por|al|alla|an?|billed)\s)\s?(years?|yr|annum|months?|mo|weeks?|nights?|days?|hours?|hr|users?|jahr|monat|woche|nacht|tag|stunde|mois|semaine|nuit|jour|heure|mes|semana|noche|día|hora|anno|mese|settimana|notte|giorno|ora|jaar|maand|nacht|uur|monthly|yearly|annually)(?!\p{L})/iu,
  percent: /(?<![\p{L}\p{N}.,])([-+\u2212]?\d[\d.,]*)\s?%/u,
  address:
    /^(\d{1,5}[a-z]?(?:[-–]\d{1,4})?,?\s\p{Lu}[\p{L}'’. -]{2,50},\s.*\p{L}.*|\p{Lu}[\p{L}'’. -]{2,50}\s\d{1,4}[a-z]?,\s(?=.*\p{L}).+)$/u,
  signed: /^([-+\u2212]\s?\d[\d.,]*)(?!\s?%)(?![\d.,])/u,
  symbol: /^\(?(?:[A-Z]{2,8}:\s?)?([A-Z]{1,5}(?:[.-][A-Z]{1,3})?)\)?$/,
  stock:
    /^((?:(?:currently|now|sofort) )?(?:in stock|out of stock|sold out|available|unavailable|not available|on back ?order|auf lager|lieferbar|verfügbar|nicht (?:lieferbar|verfügbar)|ausverkauft|en stock|épuisé|rupture de stock|agotado|disponible|disponibile|esaurito|op voorraad|uitverkocht))[.!]?$/iu,
  weekday:
    /^(?:on\s)?((?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|wed|thu(?:rs)?|fri|sat|sun|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|today|tomorrow|heute|morgen)(?!\p{L})/iu,
  undated: /^(.*\S)\s*\((?:19|20)\d\d(?:\s?[–-]\s?(?:(?:19|20)\d\d)?)?\)$/su,
};

type Judged = "unnumbered" | "year" | "time" | "opens" | "closes" | "least" | "most" | "languageName";

/** The part of a text that has the form; undefined where it is not there, or where there are several of one that must be alone. */
export function readForm(form: Form, text: string): string | undefined {
  if (form === "year") return yearIn(text);
  if (form === "languageName") return languageNames.has(text.trim().toLowerCase()) ? text.trim() : undefined;
  if (form === "time") return onlyOf(text.match(times));
  if (form === "opens" || form === "closes") return endOf(text.match(times), form === "closes");
  if (form === "least" || form === "most")
    return span.test(text) ? endOf(text.match(amounts), form === "most") : undefined;
  if (form === "unnumbered") return text.replace(/^#\d{1,5}\s+/, "");
  if (form === "undated") return patterns.undated.exec(text)?.[1] ?? text;
  const found = patterns[form].exec(text)?.[1]?.trim() ?? (form === "phone" ? bareNumber(text) : undefined);
  return found !== undefined && isPlausible(form, found, text) ? found : undefined;
}

/** A number that is short, as within a town, and alone. */
function bareNumber(text: string): string | undefined {
  return /^[+\d(][\d\s()./-]{5,24}$/.test(text) && /[^\d.,]/.test(text) ? text : undefined;
}

function isPlausible(form: Form, found: string, text: string): boolean {
  const digits = found.replace(/\D/g, "").length;
  if (form === "version") return !isDay(found) && !/^\d{3}\.\d{3}\.\d{4}$/.test(found);
  if (form === "isbn") return digits >= 12 || (digits >= 9 && /isbn/i.test(text));
  if (form === "address")
    return text.length <= 100 && parseDate(text, false) === undefined && !/[“”"!?;:[\]|]/.test(text);
  if (form === "phone" && isDay(found)) return false;
  if (form === "phone") return digits >= 6 && digits <= 15 && !/\d{4}-\d\d-\d\d/.test(found);
  return true;
}

function isDay(text: string): boolean {
  return /^(?:\d\d\.\d\d\.\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})$/.test(text);
}

/** In parentheses, or the only one of a text. */
function yearIn(text: string): string | undefined {
  const years = [
    ...text.matchAll(/(?<![\p{L}\p{N}.,$€£#-])(?:1[0-9]|20)\d\d(?![\p{N}%€]|[.,]\d|\s?(?:km|m²|kg|€))/gu),
  ];
  const inside = /\(((?:1[5-9]|20)\d\d)\)\s*$/.exec(text)?.[1];
  return inside ?? (years.length === 1 ? years[0]?.[0] : undefined);
}

function onlyOf(found: readonly string[] | null): string | undefined {
  return found?.length === 1 ? found[0]?.trim() : undefined;
}

function endOf(found: readonly string[] | null, isLast: boolean): string | undefined {
  return found?.length === 2 ? found[isLast ? 1 : 0]?.trim() : undefined;
}
