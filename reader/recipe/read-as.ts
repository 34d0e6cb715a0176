import { codes, signs } from "./currencies.ts";
import { durationIn } from "./durations.ts";
import { type Form, forms, readForm } from "./forms.ts";
import { priceIn } from "./money.ts";
import { digitsSource as digits } from "./numbers.ts";

/** What a text states besides being a text: the rest of it is left out, and a text that cannot be one is no value. */
export const readings = [
  ...(["person", "name", "code", "price", "rating", "currency", "headline", "duration"] as const),
  ...(["salary", "step"] as const),
  ...forms,
] as const;
export type Reading = (typeof readings)[number];

/** Characters that are read of a text. */
export const maxText = 400;

/** The part of a text that is of that kind, or undefined. */
export function readAs(reading: Reading, text: string, language: string): string | undefined {
  if (reading === "step") return step(text);
  const start = text.slice(0, maxText).trim();
  if (reading === "duration") return durationIn(start);
  if (reading === "salary") return salary(start);
  if (reading === "person") return person(start);
  if (reading === "name") return name(start);
  if (reading === "code") return code(start);
  if (reading === "price") return priceIn(start)?.text;
  if (reading === "rating") return rating(start);
  if (reading === "currency") return currency(start, language);
  return isForm(reading) ? readForm(reading, start) : headline(start);
}

const allForms = new Set<string>(forms);

export function isForm(reading: string | undefined): reading is Form {
  return reading !== undefined && allForms.has(reading);
}

const byWords =
  "by|von|par|por|di|door|av|af|przez|autor(?:in|a)?|author|auteur|autore|auteurs|forfatter|автор|作者";
const byline = new RegExp(
  `^(?:(?:article|story|post|blog|words|text|report|recipe|rezept|recette|receta|ricetta|recept)s? )?(?:(?:written|proposée?|posted|published|reviewed|created|started|asked|submitted|shared|geschrieben|veröffentlicht|publié|écrit|escrito|publicado) )?(?:${byWords})(?:(?![\\p{L}\\p{N}])[\\s:：]*)`,
  "iu",
);
const glued = /^By(?=\p{Lu}\p{Ll})/u;
const afterName = new RegExp(
  [
    "\\s*(?:[|•·–—/(\\[\\n<>✓:;!?]|,\\s|,$|\\s-\\s|(?<!(?:^|\\s)\\p{Lu})\\.\\s(?=\\p{Lu}\\p{Ll}{3}))",
    "\\s*(?:Published|Updated|Posted|Reviewed|Written|Last |Follow|Subscribe|Categor|Contributor|Author|Share|Read more|Staff|Started|Joined|Related|Verified|Topics|View |More )",
    "\\s(?:on|in|at|is|for|and is|about|am|le|el|um|vom)\\s",
    "\\s(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b",
    "\\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\\p{L}*\\.?\\s\\d",
    "\\s[#+(]*\\d",
    "\\s(?:tel|phone|mobile?|cell|fax|e-?mail|telefon|telephone|téléphone|teléfono|telefono|telefoon)\\b",
    "\\s(?:senior|chief|editor|editor-in-chief|writer|reporter|correspondent|journalist|analyst|director|manager|head of|founder|co-founder|ceo|cto|cmo|professor|specialist|marketing|vice president|president|guest)\\b",
  ].join("|"),
  "iu",
);
const capitals = /(?<=\p{Ll})(?:Published|Updated|Posted|Reviewed|Follow|Contributor|Senior|Staff)/u;
const furniture =
  /^(?:about|admin login|all|april|august|bio|cite|december|february|full bio|january|july|june|march|november|october|pictures|september|top|vp|author|authors|blog|buy|by|cart|categor\p{L}*|check|click|close|comments?|contact|cookies?|details|discover|download|edit|editorial|editors?|email|explore|facebook|faq|features?|filter|follow|free|get|guest|guarantee|help|home|instagram|join|learn|lifetime|linkedin|log|login|menu|more|my|new|newsletter|next|none|null|our|pinterest|print|posts?|previous|privacy|profile|read|register|related|reply|reviews?|save|search|see|select|share|shop|sign|size|skip|sort|staff|subscribe|tags?|terms|the author|this|topics?|twitter|undefined|unknown|updated|view|visit|websites?|what|who|why|write|written|you|your|youtube|x)(?![\p{L}\p{N}'’.])/iu;

function person(given: string): string | undefined {
  let text = given.replace(glued, "");
  for (let passes = 0; passes < 3 && byline.test(text); passes += 1) text = text.replace(byline, "");
  text = text.replace(/^[\s"'“”@,:;|•·–—-]+/u, "");
  text = upTo(upTo(text, capitals), afterName);
  text = upToRepetition(text).replace(/[\s"'“”,:;|•·–—-]+$/u, "");
  return isName(text, 5) && !furniture.test(text) && !/^\d+\s/.test(text) ? text : undefined;
}

function upTo(text: string, end: RegExp): string {
  const at = text.search(end);
  return at < 0 ? text : text.slice(0, at);
}

/** A biography follows: `Ada Byron Ada is a writer`. */
function upToRepetition(text: string): string {
  const words = text.split(/\s+/);
  const again = words.indexOf(words[0] ?? "", 1);
  return again < 0 ? text : words.slice(0, again).join(" ");
}

function isName(text: string, maxWords: number): boolean {
  const words = text.split(/\s+/);
  if (text.length < 2 || text.length > 60 || words.length > maxWords || !/\p{L}/u.test(text)) return false;
  if (/https?:|www\.|[{}<>=@]|\.(?:com|org|net)\b/i.test(text)) return false;
  return words.length === 1 || /^[^\p{L}]*(?:\p{Lu}|\p{Lo}|\p{Ll}{1,3}\b)/u.test(text);
}

const ofStore =
  /^(?:visit|shop|explore|more from|view all|see all|all products by)\s+(?:the\s+)?(.+?)(?:\s+(?:store|shop))?$/i;
const label =
  /^(?:(?:hosted|organi[sz]ed|presented|offered|veranstaltet|organisé|organizado|organizzato|georganiseerd) (?:by|von|par|por|da|door)|about|at|organi[sz]er|veranstalter|organisateur|brand|marke|marque|marca|merk|hersteller|manufacturer|maker|vendor|company|sold by|made by|designed by|designer|by|von)(?:\s*[:：]\s*|\s+)/i;

/** The name of a brand, a company or a place. */
function name(given: string): string | undefined {
  const text = (ofStore.exec(given)?.[1] ?? given).replace(label, "");
  const short = upTo(
    text,
    /\s*(?:[|•·\n]|\s[–—-]\s|[!?]|\.\s|Published|Updated|(?<!\d)(?:19|20)\d\d(?!\d))/u,
  ).replace(/[\s,:;]+$/, "");
  return isName(short, 6) && !furniture.test(short) ? short : undefined;
}

const codeLabel =
  /^(?:(?:sku|ean|gtin|upc|isbn|mpn|item|model|part|article|artikel|art|product|produkt|ref|reference|référence|referencia|style|code|number|nummer|no|nr|id)(?![\p{L}\p{N}])[\s.:#-]*)+/iu;

/** A single token: what follows it must begin with a label of its own, unless a digit shows that it is a code. */
function code(given: string): string | undefined {
  const [token = "", next] = given
    .replace(codeLabel, "")
    .replace(/^[\s:#]+/, "")
    .split(/\s+/);
  const plain = token.replace(/[,;.)]+$/, "");
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._/+-]{0,39}$/u.test(plain)) return undefined;
  return /\d/.test(plain) || next === undefined || next.endsWith(":") ? plain : undefined;
}

const scaled =
  /(?<![\d.,])(\d{1,3}(?:[.,]\d{1,2})?)\s*(?:\/|out of|of|von|sur|de|su|av|van|z|из)\s*(5|10|100)(?![\d])/i;
const starred = /(?<![\d.,])(\d(?:[.,]\d{1,2})?)[\s-]*(?:stars?|sterne|étoiles|estrellas|stelle|★|⭐)/i;
const decimal = /(?<![\d.,])(\d{1,2}[.,]\d{1,2})(?![\d.,]*\d|\s?%)/;

/** A value within its scale: the one that the text names, else five stars, or ten with a decimal. */
function rating(given: string): string | undefined {
  const [, value = "", scale = ""] = scaled.exec(given) ?? [];
  if (value !== "") return isBetween(value, Number(scale)) ? value : undefined;
  const stars = starred.exec(given)?.[1];
  if (stars !== undefined) return isBetween(stars, 5) ? stars : undefined;
  const plain = decimal.exec(given)?.[1];
  return plain !== undefined && given.length <= 60 && isBetween(plain, 10) ? plain : undefined;
}

function isBetween(text: string, most: number): boolean {
  const value = Number(text.replace(",", "."));
  return value > 0 && value <= most;
}

const codeOfSign: Record<string, string> = {
  ...{
    US$: "USD",
    CA$: "CAD",
    C$: "CAD",
    AU$: "AUD",
    A$: "AUD",
    NZ$: "NZD",
    HK$: "HKD",
    S$: "SGD",
    R$: "BRL",
  },
  ...{
    MX$: "MXN",
    "€": "EUR",
    "£": "GBP",
    "₹": "INR",
    "₽": "RUB",
    "₩": "KRW",
    "₺": "TRY",
    "₪": "ILS",
    "฿": "THB",
  },
  ...{
    "₫": "VND",
    "₴": "UAH",
    円: "JPY",
    zł: "PLN",
    Kč: "CZK",
    лв: "BGN",
    руб: "RUB",
    Ft: "HUF",
    lei: "RON",
    Rs: "INR",
  },
};
const dollars: Record<string, string> = {
  US: "USD",
  CA: "CAD",
  AU: "AUD",
  NZ: "NZD",
  SG: "SGD",
  HK: "HKD",
  MX: "MXN",
};

/** The code of ISO 4217 where text or language determine it; else the sign. */
function currency(given: string, language: string): string | undefined {
  const stated = new RegExp(`(?<![\\p{L}])(?:${codes})(?![\\p{L}])`, "u").exec(given)?.[0];
  if (stated !== undefined) return stated;
  const sign = new RegExp(signs, "u").exec(given)?.[0]?.replace(/\.$/, "");
  if (sign === undefined) return /^[A-Z]{3}$/.test(given) ? given : undefined;
  const region = /^[a-z]{2}-([A-Z]{2})\b/i.exec(language)?.[1]?.toUpperCase() ?? "";
  return sign === "$" ? (dollars[region] ?? sign) : (codeOfSign[sign] ?? sign);
}

const pay = `(?:(?:${signs}|\\b(?:${codes}))\\s?)?${digits}(?:\\s?[kK](?!\\p{L}))?(?:\\s?(?:${signs}|(?:${codes})\\b))?`;
const period =
  "(?:\\s?(?:gross|brutto|brut|bruto|lordo))?\\s?(?:/|per\\s|an?\\s|pro\\s|par\\s|al\\s|por\\s|all'|im\\s)\\s?(?:year|annum|month|week|day|hour|hr|jahr|monat|stunde|an|mois|heure|jour|año|mes|hora|anno|mese|ora|jaar|maand|uur)(?!\\p{L})";
const span = new RegExp(`${pay}(?:\\s?(?:-|–|—|to|bis|à|a|al|y|tot|and)\\s?${pay})?(?:${period})?`, "giu");

/** An amount of money or a span of them, with what it is for: `$60,000 - $70,000 per year`. */
function salary(given: string): string | undefined {
  const isMoney = new RegExp(`${signs}|\\b(?:${codes})\\b|${period}`, "iu");
  return [...given.matchAll(span)].map(([found]) => found.trim()).find(found => isMoney.test(found));
}

const numbered =
  /^(?:(?:step|schritt|étape|etape|paso|passo|passaggio|stap)\s*\d{1,2}\s*[.:)–-]?\s*|\d{1,2}\s*[.)]\s+)(?=\S)/iu;

/** A step of instructions without its number. */
function step(given: string): string | undefined {
  const text = given.trim().replace(numbered, "");
  return /\p{L}{2}/u.test(text) ? text : undefined;
}

/** The title of a document without the name of its site. */
function headline(given: string): string | undefined {
  const [first = "", ...rest] = given.split(/\s+(?:[|–—·•»«]|::?|-)\s+/u);
  const longest = [first, ...rest].sort((a, b) => b.length - a.length)[0] ?? "";
  const text = first.length * 2 >= longest.length ? first : longest;
  return /\p{L}/u.test(text) ? text : undefined;
}
