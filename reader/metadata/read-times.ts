import type { ElementNode } from "../html/tree.ts";
import { parseDate } from "../recipe/dates.ts";
import type { LinkedFacts } from "./linked-facts.ts";
import { type PageHints, shortText, type VisibleDate } from "./page-hints.ts";

const publishedMetas = [
  "article:published_time",
  "og:article:published_time",
  "article:published",
  "datepublished",
  "parsely-pub-date",
  "sailthru.date",
  "citation_publication_date",
  "citation_online_date",
  "citation_date",
  "dc.date.issued",
  "dcterms.issued",
  "dcterms.created",
  "dc.date.created",
  "dc.date",
  "dcterms.date",
  "pubdate",
  "publish_date",
  "publish-date",
  "publication_date",
  "published_time",
  "date",
];
const modifiedMetas = [
  "article:modified_time",
  "og:article:modified_time",
  "article:modified",
  "datemodified",
  "og:updated_time",
  "dcterms.modified",
  "dc.date.modified",
  "last-modified",
  "lastmod",
  "revised",
];
const maxLength = 80;

type Source = (hints: PageHints, linked: LinkedFacts) => readonly string[];

/** Sources by trust; the first that gives a date counts. */
export const publishedSources: Record<string, Source> = {
  linked: (_, { published }) => published,
  ...fromMetas(publishedMetas),
  microdata: ({ properties }) =>
    [...(properties.get("datepublished") ?? []), ...(properties.get("datecreated") ?? [])].map(dateIn),
  time: hints => shown(hints, "time", false),
  class: hints => shown(hints, "class", false),
  text: hints => shown(hints, "text", false),
};
export const modifiedSources: Record<string, Source> = {
  linked: (_, { modified }) => modified,
  ...fromMetas(modifiedMetas),
  microdata: ({ properties }) => (properties.get("datemodified") ?? []).map(dateIn),
  time: hints => shown(hints, "time", true),
  class: hints => shown(hints, "class", true),
  text: hints => shown(hints, "text", true),
};

/** When the page was written or changed, see `pageTime`; null if it does not say. */
export function readTime(
  sources: Record<string, Source>,
  hints: PageHints,
  linked: LinkedFacts,
  language: string | null,
): string | null {
  for (const source of Object.values(sources)) {
    for (const text of source(hints, linked)) {
      const time = pageTime(text, language);
      if (time !== undefined) return time;
    }
  }
  return null;
}

function fromMetas(names: string[]): Record<string, Source> {
  return Object.fromEntries(names.map(name => [name, ({ metas }: PageHints) => metas.get(name) ?? []]));
}

function shown({ dates }: PageHints, kind: VisibleDate["by"], isChange: boolean): string[] {
  return dates
    .filter(date => date.by === kind && date.isChange === isChange)
    .map(({ place }) => (typeof place === "string" ? place : dateIn(place)));
}

function dateIn(element: ElementNode): string {
  const stated = element.getAttribute("datetime") || element.getAttribute("content");
  if (stated) return stated;
  // As in hCard, a short text stands for the date in its title.
  const titled = element.name === "abbr" ? element.getAttribute("title") : "";
  if (/\d{4}/.test(titled)) return titled;
  return shortText(element, maxLength);
}

const iso =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T\s]+(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?(?:\d{2})?)?/i;
// RFC 5322, 3.3, without named zones other than UTC.
const mail =
  /^(?:[a-z]{3,9},?\s+)?(\d{1,2})\s+([a-z]{3})[a-z]*\s+(\d{4})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i;
/** The year comes first: 2025年5月3日, 2025년 5월 3일, 2025. 5. 3. */
const eastAsian = /(?<!\d)(\d{4})\s?[年년.]\s?(\d{1,2})\s?[月월.]\s?(\d{1,2})(?:\s?[日일.]|(?!\d))/;
const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
/** Dates are not longer. */
const maxTime = 100;

/**
 * A time as a page writes it, in ISO 8601: with the page's own offset (`2025-09-04T10:00:00+02:00`, `Z` for UTC). A time
 * without an offset is no point in time, so only its date is given: `2025-09-04`. Undefined for any other text.
 */
export function pageTime(text: string, language: string | null): string | undefined {
  const given = text.trim();
  if (given === "" || given.length > maxTime) return undefined;
  const [, year, month, day, hours, minutes, seconds, offset] =
    unixParts(given) ?? iso.exec(given) ?? mailParts(given) ?? [];
  if (year === undefined || month === undefined || day === undefined)
    return inEastAsian(given) ?? inWords(given, language);
  const date = `${year}-${month}-${day}`;
  if (!exists(date)) return undefined;
  if (hours === undefined || offset === undefined || Number(hours) > 23 || Number(minutes) > 59) return date;
  return `${date}T${hours.padStart(2, "0")}:${minutes}:${seconds ?? "00"}${zone(offset)}`;
}

function mailParts(text: string): (string | undefined)[] | undefined {
  const [, day, name = "", year, ...clock] = mail.exec(text) ?? [];
  const month = months.indexOf(name.toLowerCase()) + 1;
  return day === undefined || month === 0 ? undefined : ["", year, pad(month), pad(Number(day)), ...clock];
}

/** Seconds or milliseconds since 1970. */
function unixParts(text: string): (string | undefined)[] | undefined {
  if (!/^1\d{9}(?:\d{3})?$/.test(text)) return undefined;
  return iso.exec(new Date(Number(text) * (text.length > 10 ? 1 : 1000)).toISOString()) ?? undefined;
}

function inEastAsian(text: string): string | undefined {
  const [, year, month, day] = eastAsian.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return exists(date) ? date : undefined;
}

function inWords(text: string, language: string | null): string | undefined {
  // As in citations: 2024 Jun 30.
  const date = parseDate(text.replace(/^(\d{4}) (\p{L}+) (\d{1,2})$/u, "$3 $2 $1"), false, language ?? "");
  return date !== undefined && exists(date) ? date : undefined;
}

/** A page of the web is not older than the epoch, which programs write for no date, a day before or after by its zone. */
function exists(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  return (
    !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date) && date > "1970-01-02" && date < "2100"
  );
}

function zone(offset: string): string {
  const [, sign, hours = "", minutes = "00"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  if (sign === undefined || (hours === "00" && minutes === "00")) return "Z";
  return `${sign}${hours}:${minutes}`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
