import { parseDate } from "./coerce.ts";
import type { ConceptName } from "./concepts.ts";
import type { Site } from "./name-index.ts";
import type { PageElement } from "./page-element.ts";
import { isInFrame, type Page } from "./parse-page.ts";
import { readAs } from "./read-as.ts";
import type { Field } from "./recipe.ts";
import { selectorFor } from "./selector-for.ts";
import { isStruck, shortTextOf, wordsOf } from "./text-of.ts";

/** A small element in the neighbourhood of a page's heading. */
interface Neighbour {
  element: PageElement;
  text: string;
  /** The attribute that holds the text. */
  attribute?: string;
  /** Headings between the page's heading and the element. */
  sections: number;
  /** Words of its class and id. */
  tokens: Set<string>;
  /** In elements, from the heading; those before it count double. */
  distance: number;
}

const before = 60;
const after = 300;
const maxSize = 20;
const maxText = 200;
const kept = new WeakMap<Page, { heading: PageElement | null; neighbours: Neighbour[] }>();

/** Fields for values that a page states near its heading, and for the heading itself; the likeliest first. */
export function* nearHeading(concept: ConceptName, site: Site): Generator<Field> {
  const { heading, neighbours } = surroundingsOf(site.page);
  if (concept === "title") yield* titles(site, heading);
  const judge = judges[concept];
  if (!judge) return;
  const about: About = {
    heading: heading ? (shortTextOf(heading, maxText) ?? "") : "",
    page: site.page,
    isForSale: neighbours.some(isPriced),
  };
  const scored = neighbours
    .map(neighbour => ({ neighbour, score: judge(neighbour, about) }))
    .filter(({ score }) => score > 0)
    .map(({ neighbour, score }) => ({ neighbour, score: score - neighbour.distance / 60 }))
    .sort((a, b) => b.score - a.score);
  for (const { neighbour } of scored.slice(0, 6)) {
    const selector = selectorFor(neighbour.element, site.element);
    const { attribute } = neighbour;
    if (selector !== undefined) yield attribute === undefined ? { selector } : { selector, attribute };
  }
}

function* titles(site: Site, heading: PageElement | null): Generator<Field> {
  const root = site.element;
  const plain =
    heading && ["main h1", "article h1", "h1"].find(selector => root.querySelector(selector) === heading);
  const selector = plain ?? (heading && selectorFor(heading, root));
  const title = heading && wordsOf(root.querySelector("title")?.textContent ?? "");
  const differs =
    title &&
    title.length >= 4 &&
    !title.some(word => word.length > 3 && shortTextOf(heading, 300)?.toLowerCase().includes(word));
  if (differs) yield { selector: "title", as: "headline" };
  if (selector) yield { selector };
  if (!heading) yield { selector: "title", as: "headline" };
}

function surroundingsOf(page: Page): { heading: PageElement | null; neighbours: Neighbour[] } {
  let found = kept.get(page);
  if (found === undefined) {
    const heading = headingOf(page);
    found = { heading, neighbours: neighboursOf(page, heading) };
    kept.set(page, found);
  }
  return found;
}

/** The heading of the subject: an `h1` or what else the document's title repeats, outside of the page's frame. */
function headingOf({ root }: Page): PageElement | null {
  const title = root.querySelector("title")?.textContent ?? "";
  const parts = title.split(/\s+[|–—·•»«:-]+\s+/u).map(part => wordsOf(part).join(" "));
  const whole = wordsOf(title).join(" ");
  let best: { element: PageElement; score: number } | undefined;
  const candidates = [
    ...root.querySelectorAll("h1").slice(0, 20),
    ...root.querySelectorAll('h2, [class*="title"], [class*="headline"], [class*="heading"]').slice(0, 40),
  ];
  for (const element of candidates) {
    const text = shortTextOf(element, 300);
    if (text === undefined || !/\p{L}/u.test(text)) continue;
    const score = scoreOf(element, wordsOf(text).join(" "), whole, parts);
    if (score > (best?.score ?? 0)) best = { element, score };
  }
  return best?.element ?? null;
}

function scoreOf(element: PageElement, text: string, title: string, parts: string[]): number {
  const isFirst = text === parts[0] || (text.length >= 8 && parts[0]?.includes(text) === true);
  const isSiteName = parts.length > 1 && parts.slice(1).includes(text);
  const isRepeated = text.length >= 8 && title.includes(text);
  const repeats = isFirst ? 5 : isSiteName ? -2 : isRepeated || shareOf(text, title) >= 0.7 ? 4 : 0;
  const kind = element.localName === "h1" ? 3 : repeats > 0 ? 0.5 : -5;
  return kind + repeats - (isInFrame(element) ? 2 : 0);
}

/** How many of the words are in the other text; few words prove nothing. */
function shareOf(text: string, other: string): number {
  const words = text.split(" ");
  const known = new Set(other.split(" "));
  return words.length < 3 ? 0 : words.filter(word => known.has(word)).length / words.length;
}

function neighboursOf({ root }: Page, heading: PageElement | null): Neighbour[] {
  const start = heading?.order ?? 0;
  const all = root.querySelectorAll("*").slice(Math.max(0, start - 1 - before), start + after);
  let sections = 0;
  return all.flatMap(element => {
    if (element.order > start && /^h[2-6]$/.test(element.localName)) sections += 1;
    if (element.end - element.order > maxSize || element === heading || unread.test(element.localName))
      return [];
    const text = shortTextOf(element, maxText);
    const label = labelOf(element);
    if ((text === undefined && label === undefined) || isAside(element)) return [];
    const distance = element.order < start ? (start - element.order) * 2 : element.order - start;
    const neighbour = { element, tokens: tokensOf(element), distance, sections };
    return [
      ...(text === undefined ? [] : [{ ...neighbour, text }]),
      ...(label ? [{ ...neighbour, ...label }] : []),
    ];
  });
}

const unread =
  /^(?:html|head|body|title|meta|link|base|option|select|script|style|noscript|label|br|svg|path)$/;

/** What an element says to those who do not see it, such as `4.5 of 5 stars`. */
function labelOf(element: PageElement): { text: string; attribute: string } | undefined {
  for (const attribute of ["aria-label", "title", "alt"]) {
    const text = element.getAttribute(attribute)?.trim() ?? "";
    if (/\d/.test(text) && text.length <= maxText) return { text, attribute };
  }
  return undefined;
}

/** Of the frame, only the header of the page and its breadcrumbs may hold what belongs to the subject. */
function isAside(element: PageElement): boolean {
  return isInFrame(element) && element.closest('header, [class*="crumb"], [aria-label*="crumb"]') === null;
}

function tokensOf(element: PageElement): Set<string> {
  const names = ["class", "id", "data-testid", "data-test", "data-qa"].map(
    name => element.getAttribute(name) ?? "",
  );
  return new Set(names.flatMap(wordsOf));
}

interface About {
  heading: string;
  page: Page;
  /** Whether something near the heading has a price, so that `by` names a maker and not an author. */
  isForSale: boolean;
}

function isPriced({ element, text, distance }: Neighbour): boolean {
  const isAmount = text.length <= 30 && /\d/.test(text) && amount.test(text);
  return isAmount && distance < 150 && !isInProse(element);
}

type Judge = (neighbour: Neighbour, about: About) => number;

const by =
  /^(?:written |posted |published |started |asked |reviewed )?(?:by|von|par|por|di|door|author|autor)\b[\s:]*\S|^By\p{Lu}/iu;
const authorPath =
  /\/(?:authors?|people|staff|contributors?|profiles?|users?|members?|team|by|autor(?:en)?|auteurs?|redaktion)\/|\/@|[?&]author=/i;
const updated = /\b(?:updated|modified|edited|last|reviewed|aktualisiert|mis à jour|actualizado)\b/i;
const published =
  /\b(?:published|posted|publié|publicado|veröffentlicht|pubblicato|on|created|started|asked)\b/i;
const year = /(?<!\d)(?:19|20)\d\d(?!\d)/;
const amount = /[$€£¥₹₽₩]|\b(?:USD|EUR|GBP|CHF|CAD|AUD|kr|zł|Kč|lei)\b/;
const brandPath =
  /\/(?:brands?|marken?|marques?|marcas?|manufacturers?|vendors?|designers?|hersteller)\/|\/shop\/[^/?]+(?:\?|$)|[?&](?:brand|vendor|manufacturer)=/i;

const scale = /\b(?:out )?of (?:5|10|100)\b|\/\s?(?:5|10|100)\b|★/;
const itemCode =
  /^(?:sku|item|model|part|product|article|artikel|art|réf|ref|reference|référence|mfr|mpn|style|code)\b[\s.]*(?:#|no\b|nr\b|number\b|code\b|id\b|:)[\s.:#]*\S+/iu;

const writers = ["byline", "author", "authors", "writer", "contributor"];

const judges: Partial<Record<ConceptName, Judge>> = {
  author: ({ element, text, tokens, attribute }) => {
    if (attribute !== undefined) return 0;
    if (readAs("person", text, "") === undefined || text.length > 120) return 0;
    if (/(?:^|\s)author(?:\s|$)/i.test(element.getAttribute("rel") ?? "")) return 6;
    if (has(tokens, ...writers)) return 5;
    if (by.test(text)) return 4;
    if (authorPath.test(element.getAttribute("href") ?? "")) return 4;
    return has(tokens, "username", "poster", "vcard", "fn", "creator") ? 3 : 0;
  },
  date: ({ element, text, tokens, attribute }, { page }) => {
    if (attribute !== undefined) return 0;
    const stated = element.getAttribute("datetime") ?? text;
    if (text.length > 120 || !year.test(stated)) return 0;
    if (parseDate(stated, false, page.language) === undefined) return 0;
    const kind =
      element.localName === "time"
        ? 2
        : has(tokens, "date", "time", "published", "posted", "timestamp")
          ? 1.5
          : 0;
    const label = updated.test(text) ? -2 : published.test(text) ? 1 : 0;
    return 3 + kind + label + (text.length <= 40 ? 0.5 : 0);
  },
  price: ({ element, text, tokens, sections, attribute }) => {
    if (attribute !== undefined) return 0;
    if (text.length > 80 || !amount.test(text) || isWithinStruck(element)) return 0;
    if (readAs("price", text, "") === undefined || isInProse(element)) return 0;
    const named = has(tokens, "price", "preis", "prix", "precio", "prezzo", "amount") ? 3 : 0;
    return 6 + named - Math.min(sections, 2) * 2 - text.length / 40;
  },
  rating: ({ text, tokens, attribute }) => {
    if (text.length > 80 || readAs("rating", text, "") === undefined) return 0;
    if (attribute !== undefined) return scale.test(text) ? 7.5 : 0;
    return has(tokens, "rating", "ratings", "stars", "star", "score", "review", "reviews")
      ? 7
      : scale.test(text)
        ? 6
        : 0;
  },
  sku: ({ text, tokens, attribute }) => {
    if (text.length > 80 || attribute !== undefined || readAs("code", text, "") === undefined) return 0;
    return /^sku\b/i.test(text) || has(tokens, "sku") ? 8 : itemCode.test(text) ? 6 : 0;
  },
  brand: ({ element, text, tokens, attribute }, { heading, isForSale }) => {
    const name = readAs("name", text, "");
    if (text.length > 60 || name === undefined || attribute !== undefined || text === heading) return 0;
    const starts = heading.toLowerCase().startsWith(`${name.toLowerCase()} `) ? 3 : 0;
    const isOfSite = has(tokens, "navbar", "nav", "header", "site", ...writers);
    const named =
      !isOfSite && has(tokens, "brand", "vendor", "manufacturer", "marque", "marca", "designer") ? 5 : 0;
    const linked = brandPath.test(element.getAttribute("href") ?? "") ? 3 : 0;
    const said = /^(?:brand|marke|marque|marca|merk)\b|^visit the\b/i.test(text)
      ? 3
      : isForSale && !isOfSite && /^by /i.test(text)
        ? 2
        : 0;
    const begins = isForSale && starts > 0 && element.closest("h1") !== null ? 3 : 0;
    const found = named + linked + said + begins;
    return found > 0 ? found + starts : 0;
  },
};
judges.currency = judges.price;

function has(tokens: Set<string>, ...names: string[]): boolean {
  return names.some(name => tokens.has(name));
}

const longParagraph = 100;

/** Amounts of a running text are not the price of the subject. */
export function isInProse(element: PageElement): boolean {
  const paragraph = element.closest("p, li, td, h2, h3, h4");
  return paragraph !== null && shortTextOf(paragraph, longParagraph) === undefined;
}

/** The current price is beside it. */
export function isWithinStruck(element: PageElement): boolean {
  for (let at: PageElement | null = element; at; at = at.parentElement) if (isStruck(at.node)) return true;
  return false;
}
