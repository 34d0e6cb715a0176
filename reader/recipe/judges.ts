import type { ConceptName } from "./concepts.ts";
import { hasTime, parseDate } from "./dates.ts";
import { employmentIn } from "./employment.ts";
import type { PageElement } from "./page-element.ts";
import type { Page } from "./parse-page.ts";
import { readAs } from "./read-as.ts";
import { isStruck, shortTextOf, wordsOf } from "./text-of.ts";

/** A small element in the neighbourhood of a page's heading. */
export interface Neighbour {
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

export interface About {
  heading: string;
  page: Page;
  /** Whether something near the heading has a price, so that `by` names a maker and not an author. */
  isForSale: boolean;
}

export function tokensOf(element: PageElement): Set<string> {
  const names = ["class", "id", "data-testid", "data-test", "data-qa"].map(
    name => element.getAttribute(name) ?? "",
  );
  return new Set(names.flatMap(wordsOf));
}

type Judge = (neighbour: Neighbour, about: About) => number;

const by =
  /^(?:(?:recipe|rezept|recette|receta|ricetta|recept) )?(?:proposée? |written |posted |published |started |asked |reviewed )?(?:by|von|par|por|di|door|author|autor)\b[\s:]*\S|^By\p{Lu}/iu;
const authorPath =
  /\/(?:authors?|people|staff|cooks|chefs?|contributors?|profiles?|users?|members?|team|by|autor(?:en)?|auteurs?|redaktion)\/|\/@|[?&]author=/i;
const updated = /\b(?:updated|modified|edited|last|reviewed|aktualisiert|mis à jour|actualizado)\b/i;
const published =
  /\b(?:published|posted|publié|publicado|veröffentlicht|pubblicato|on|created|started|asked)\b/i;
const year = /(?<!\d)(?:19|20)\d\d(?!\d)/;
export const amount = /[$€£¥₹₽₩]|\b(?:USD|EUR|GBP|CHF|CAD|AUD|kr|zł|Kč|lei)\b/;
const brandPath =
  /\/(?:brands?|marken?|marques?|marcas?|manufacturers?|vendors?|designers?|hersteller)\/|\/shop\/[^/?]+(?:\?|$)|[?&](?:brand|vendor|manufacturer)=/i;

const scale = /\b(?:out )?of (?:5|10|100)\b|\/\s?(?:5|10|100)\b|★/;
const itemCode =
  /^(?:sku|item|model|part|product|article|artikel|art|réf|ref|reference|référence|mfr|mpn|style|code)\b[\s.]*(?:#|no\b|nr\b|number\b|code\b|id\b|:)[\s.:#]*\S+/iu;

const writers = ["byline", "author", "authors", "writer", "contributor"];

export const judges: Partial<Record<ConceptName, Judge>> = {
  author: ({ element, text, tokens, attribute }) => {
    if (attribute !== undefined) return 0;
    if (readAs("person", text, "") === undefined || text.length > 120) return 0;
    if (/(?:^|\s)author(?:\s|$)/i.test(element.getAttribute("rel") ?? "")) return 6;
    if (has(tokens, ...writers)) return 5;
    if (by.test(text) || /^\p{Lu}[\p{L} .'’-]+ \((?:author|autor(?:in)?|auteur|editor)\)$/u.test(text))
      return 4;
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

const hosts =
  /^(?:hosted|organi[sz]ed|presented|veranstaltet|organisé|organizado|organizzato|georganiseerd) (?:by|von|par|por|da|door)\b/i;
/** `About Norrvik Steel`, and not `About the role`. */
function isAboutName(text: string): boolean {
  const isOther =
    /^\S+ (?:us|uns|you|me|it|this|our|your|(?:the |this |our |your )?(?:role|job|position|team|company|opportunity|work|candidate|employer))(?!\p{L})/iu;
  return /^(?:[Aa]bout|[Üü]ber) \p{Lu}/u.test(text) && !isOther.test(text);
}

const companyPath =
  /\/(?:compan(?:y|ies)|cmp|employers?|firmen?|unternehmen|arbeitgeber|entreprises?|empresas?|aziende)\//i;

/** The judges of concepts of events and jobs. */
const ofEventsAndJobs: Partial<Record<ConceptName, Judge>> = {
  start: ({ element, text, tokens, attribute }, { page }) => {
    const stated = element.getAttribute("datetime") ?? text;
    if (attribute !== undefined || text.length > 160 || !year.test(stated)) return 0;
    if (parseDate(stated, false, page.language) === undefined) return 0;
    const isTimed = hasTime(text);
    const isNamed = has(tokens, "when", "start", "starts", "schedule", "event", "datetime");
    if (!isTimed && !isNamed) return 0;
    const kind = element.localName === "time" ? 2 : 0;
    const isOther =
      updated.test(text) || /\b(?:published|posted|veröffentlicht|publié|publicado)\b/i.test(text);
    return (
      4 +
      (isTimed ? 2 : 0) +
      (isNamed ? 1 : 0) +
      kind -
      (isOther ? 6 : 0) -
      Math.max(0, text.length - 60) / 40
    );
  },
  location: ({ element, text, tokens, attribute }, { heading }) => {
    if (attribute !== undefined || text.length > 120 || text === heading || !/\p{L}{2}/u.test(text)) return 0;
    if (/@|https?:|\?$/.test(text)) return 0;
    const named = has(tokens, "venue", "location", "place", "locality", "city") ? 5 : 0;
    const isLabel = /^(?:location|venue|where|ort|wo|lieu|lugar|luogo|locatie)s?:?$/i.test(text);
    return isLabel ? 0 : named + (element.localName === "address" ? 4 : 0);
  },
  organizer: ({ element, text, tokens, attribute }) => {
    const { previousElementSibling: before } = element;
    if (attribute !== undefined || text.length > 80 || readAs("name", text, "") === undefined) return 0;
    if (hosts.test(text)) return 6;
    if (has(tokens, "organizer", "organiser", "host")) return 5;
    const said = before ? shortTextOf(before, 30) : undefined;
    return said !== undefined && /^(?:(?:hosted|organi[sz]ed|presented) )?by:?$/i.test(said) ? 5 : 0;
  },
  company: ({ element, text, tokens, attribute }, { heading }) => {
    if (attribute !== undefined || text.length > 80 || text === heading) return 0;
    if (readAs("name", text, "") === undefined) return 0;
    const near = [element.parentElement, element.parentElement?.parentElement];
    const names = ["company", "employer", "organization", "organisation"];
    const own = has(tokens, ...names) ? 5 : near.some(at => at && has(tokensOf(at), ...names)) ? 4 : 0;
    const linked = companyPath.test(element.getAttribute("href") ?? "") ? 5 : 0;
    const said = /^at \p{Lu}/u.test(text) ? 4 : isAboutName(text) ? 3 : 0;
    const parts = element.children.filter(child => child.node.textContent.trim() !== "").length;
    return own + linked + said === 0 ? 0 : own + linked + said - (parts > 1 ? 3 : 0);
  },
  employmentType: ({ text, attribute }) => {
    if (attribute !== undefined || text.length > 160 || employmentIn(text) === undefined) return 0;
    return text.length <= 30 && !/\d/.test(text) ? 6 : text.length <= 60 ? 5 : 2;
  },
  salary: ({ text, tokens, attribute }) => {
    const found = attribute === undefined && text.length <= 200 ? readAs("salary", text, "") : undefined;
    if (found === undefined || !/\d{2}/.test(found)) return 0;
    const isWorth = /\d[.,'’\s]?\d{3}|\d\s?k\b|[/]|\b(?:per|an?|pro|par|al)\s/i.test(found);
    const named = has(tokens, "salary", "pay", "compensation", "wage") ? 3 : 0;
    return isWorth ? 4 + named - text.length / 80 : 0;
  },
};
Object.assign(judges, ofEventsAndJobs);

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
