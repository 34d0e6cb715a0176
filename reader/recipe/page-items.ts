import type { DocumentNode } from "../html/tree.ts";
import { pageTime } from "../metadata/read-times.ts";
import { evaluateXPath, isXPath } from "../page/xpath.ts";
import { parseDate } from "./dates.ts";
import { entriesOf } from "./entries.ts";
import type { PageElement } from "./page-element.ts";
import { openPage, type Page } from "./parse-page.ts";
import { linesOf, textOf } from "./text-of.ts";

/** An entry of a list page, by what it shows. */
export interface PageItem {
  /** A single line; never empty. */
  title: string;
  /** Absolute addresses. */
  link?: string;
  picture?: string;
  /** As the page states it: an instant in a machine's form, or a date in words. */
  date?: string;
  /** What it says beside its title, line by line. */
  text: string;
}

/** Entries that are read of a page, characters of a title and of a text. */
const [maxItems, maxTitle, maxText] = [500, 300, 2000];
const maxLink = 2048;

/**
 * The entries that a selector matches, CSS or XPath, in the order of the page. A heading that matches begins an entry, which
 * reaches to the next one. Elements without a title are none. Throws `TooMuchWork`.
 */
export function pageItems(tree: DocumentNode, url: string, selector: string): PageItem[] {
  const page = openPage(tree, url);
  return itemsOf(page, entriesAt(tree, page, selector));
}

function entriesAt(tree: DocumentNode, { root }: Page, selector: string): readonly PageElement[] {
  if (!isXPath(selector)) return entriesIn(root, selector);
  const wanted = new Set(evaluateXPath(tree, selector).elements);
  return root.querySelectorAll("*").filter(({ node }) => wanted.has(node));
}

/** The elements that match; headings with what follows them, unless the entry is around its heading. */
export function entriesIn(root: PageElement, selector: string): readonly PageElement[] {
  const found = root.querySelectorAll(selector);
  const isHeads = found.length > 0 && found.every(({ localName }) => headTag.test(localName));
  return isHeads ? entriesOf(root, selector, "sections") : found;
}

const headTag = /^(?:h[1-6]|dt)$/;

/** What entries show. An address that most of them share is none of theirs, and an entry within another one is its part. */
export function itemsOf(page: Page, entries: readonly PageElement[]): PageItem[] {
  const items = outermost(entries)
    .slice(0, maxItems)
    .flatMap(entry => itemOf(page, entry) ?? []);
  return withoutShared(withoutShared(items, "link"), "picture");
}

function outermost(entries: readonly PageElement[]): PageElement[] {
  let end = 0;
  return entries.filter(({ order, end: own }) => {
    // Cut out of the page, an entry has places of its own.
    if (order === 0) return true;
    if (order < end) return false;
    end = own;
    return true;
  });
}

function withoutShared(items: PageItem[], name: "link" | "picture"): PageItem[] {
  const counts = new Map<string | undefined, number>();
  for (const { [name]: address } of items) counts.set(address, (counts.get(address) ?? 0) + 1);
  return items.map(item => {
    const { [name]: address, ...rest } = item;
    const isShared =
      address !== undefined && items.length > 2 && (counts.get(address) ?? 0) * 2 > items.length;
    return isShared ? rest : item;
  });
}

function itemOf(page: Page, entry: PageElement): PageItem | undefined {
  const isHeadRow = entry.localName === "tr" && entry.querySelector("td") === null;
  const named = isHeadRow ? undefined : titleIn(entry);
  if (named === undefined) return undefined;
  const { title, element } = named;
  const link = linkOf(page, entry, element);
  const picture = pictureIn(page, entry);
  const lines = linesOf(entry).map(line => line.trim());
  const date = dateIn(page, entry, lines);
  const own = lines.findIndex(line => plainTitle(line) === title);
  const text = lines
    .filter((line, at) => line !== "" && at !== own)
    .join("\n")
    .slice(0, maxText);
  return {
    title: title.slice(0, maxTitle),
    ...(link !== undefined && { link }),
    ...(picture !== undefined && { picture }),
    ...(date !== undefined && { date }),
    text,
  };
}

const headings = "h1, h2, h3, h4, h5, h6, [role=heading]";
const titleNames =
  "[itemprop=headline], [itemprop=name], [class*=title i], [class*=headline i], [class*=subject i], [class*=name i], summary, caption, [scope=row]";
const names = /author|user|member|byline|avatar|subtitle|company|brand|categor|badge|label|sitename/i;
/** What leads to more, does something, or counts, and names nothing. */
const notes =
  /^(?:(?:read|learn|view|see|show|find|load) ?(?:more|details|all|job|now)?|more|details?|continue(?: reading)?|weiter(?:lesen)?|mehr(?: erfahren)?|lire (?:la suite|plus)|leer más|apply(?: now)?|reply|share|like|save|edit|hide|flag|past|buy(?: now)?|add to (?:cart|basket|wishlist)|in den warenkorb|compare|new|sale|sold out|permalink|link|comments?|discuss|by|#|¶|»|→|›|»)[\s.…:→»›]*$|^[\d.,\s]+(?:k|comments?|replies|views?|points?|votes?|reviews?|kommentare?|antworten)?$/i;
const people = /\/(?:u|users?|members?|profiles?|authors?|people|~|@)[/.?=-]|\/@/i;

interface Named {
  title: string;
  element: PageElement;
}

/** What names an entry: a heading, what is called a title, the longest link, a text in bold, or its first line. */
function titleIn(entry: PageElement): Named | undefined {
  return (
    firstTitle(entry.querySelectorAll(headings)) ??
    firstTitle(entry.querySelectorAll(titleNames).filter(element => !isOfPerson(element))) ??
    longestLink(entry) ??
    firstTitle(entry.querySelectorAll("strong, b, th")) ??
    firstLine(entry)
  );
}

function firstTitle(elements: readonly PageElement[]): Named | undefined {
  for (const element of elements.slice(0, 20)) {
    const title = plainTitle(textOf(element));
    if (!isTitle(title)) continue;
    // What is around a link may say more than the name: where it leads, and who wrote it.
    return (headTag.test(element.localName) ? undefined : longestLink(element)) ?? { title, element };
  }
  return undefined;
}

/** Without the mark of a link to a heading. */
function plainTitle(text: string): string {
  return text.replace(/\s*[#¶§🔗]\s*$/u, "").trim();
}

function isTitle(text: string): boolean {
  return /[\p{L}\p{N}]{2}/u.test(text) && text.length <= maxTitle && !notes.test(text);
}

function longestLink(entry: PageElement): Named | undefined {
  const links = entry.querySelectorAll("a[href]").filter(link => !isOfPerson(link));
  const named = links.flatMap(element => {
    const title = plainTitle(textOf(element));
    return isTitle(title) && /\p{L}/u.test(title) ? { title, element } : [];
  });
  const [first] = named.toSorted((a, b) => b.title.length - a.title.length);
  return first;
}

function firstLine(entry: PageElement): Named | undefined {
  const title = linesOf(entry)
    .map(plainTitle)
    .find(line => isTitle(line) && /\p{L}/u.test(line) && !isDate(line, ""));
  return title === undefined ? undefined : { title, element: entry };
}

function isOfPerson(element: PageElement): boolean {
  const classes = element.getAttribute("class") ?? "";
  return (
    names.test(classes) ||
    element.closest('[rel~="author"], [itemprop=author]') !== null ||
    people.test(element.closest("a[href]")?.getAttribute("href") ?? "")
  );
}

/** Where the entry leads: by itself, by its title, by its picture, else by its first link. */
function linkOf(page: Page, entry: PageElement, title: PageElement): string | undefined {
  const isSection = entry.order === 0;
  const near = [
    entry.localName === "a" ? entry : null,
    title.closest("a[href]"),
    title.querySelector("a[href]"),
    ...(isSection
      ? []
      : [entry.querySelector('a[rel~="bookmark"]'), ...further(entry), entry.closest("a[href]")]),
  ];
  for (const link of near) {
    const address = link && addressOf(page, link.getAttribute("href"));
    if (address) return address;
  }
  const anchor = title.getAttribute("id") ?? (isSection ? null : entry.getAttribute("id"));
  return isSection && anchor ? addressOf(page, `#${encodeURIComponent(anchor)}`) : undefined;
}

function further(entry: PageElement): PageElement[] {
  const links = entry.querySelectorAll("a[href]").filter(link => !isOfPerson(link));
  const pictured = links.filter(link => link.querySelector("img, picture") !== null);
  const leading = links.filter(link => leads.test(textOf(link)));
  return [...pictured, ...leading, ...links.filter(link => textOf(link) !== "")];
}

const leads = /^(?:read|learn|view|more|details?|continue|weiter|mehr|lire|leer|apply|open)\b/i;

/** An address of the web; a link to a place of the page itself names that place. */
function addressOf({ base }: Page, value: string | null | undefined): string | undefined {
  const written = value?.trim() ?? "";
  if (written === "" || written === "#" || /^(?:javascript|data|mailto|tel):/i.test(written))
    return undefined;
  const url = URL.parse(written, base);
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.href.length <= maxLink;
  return isWeb ? url.href : undefined;
}

const sources = [
  "src",
  "data-src",
  "data-lazy-src",
  "data-original",
  "data-lazy",
  "data-image",
  "srcset",
  "data-srcset",
];
const beside = /avatar|author|user|icon|logo|badge|emoji|pixel|spacer/i;

function pictureIn(page: Page, entry: PageElement): string | undefined {
  for (const image of entry.querySelectorAll("img, picture source").slice(0, 10)) {
    const around = [image, image.parentElement].map(element => element?.getAttribute("class") ?? "");
    if (around.some(each => beside.test(each)) || Number(image.getAttribute("width") ?? 99) < 33) continue;
    for (const name of sources) {
      const value = image.getAttribute(name);
      const address = addressOf(page, name.endsWith("srcset") ? value?.trim().split(/[\s,]/)[0] : value);
      if (address) return address;
    }
  }
  return undefined;
}

const dated =
  "[itemprop=datePublished], [itemprop=datePosted], [class*=date i], [class*=time i], [class*=publi i], time, abbr[title]";

/** When it was written, or is: as a machine reads it, else a text that is a date. */
function dateIn({ language }: Page, entry: PageElement, lines: readonly string[]): string | undefined {
  const stated = entry.querySelector("time[datetime]")?.getAttribute("datetime");
  if (stated && /\d{4}/.test(stated)) return stated;
  for (const element of entry.querySelectorAll(dated).slice(0, 10)) {
    const named = element.getAttribute("content") ?? element.getAttribute("title") ?? textOf(element);
    const date = dateOf(named, language) ?? (/\d{4}/.test(named) && named.length <= 60 ? named : undefined);
    if (date !== undefined) return date;
  }
  const parts = lines.slice(0, 30).flatMap(line => line.split(/\s*[·•|—–]\s*|,\s+(?=\p{L}{2,}\s*$)/u));
  const found = parts.find(part => part.length < 40 && isDate(part, language));
  return found && dateOf(found, language);
}

function isDate(text: string, language: string): boolean {
  return text.length < 60 && dateOf(text, language) !== undefined;
}

function dateOf(text: string, language: string): string | undefined {
  if (text.length > 100 || !/\d/.test(text)) return undefined;
  return parseDate(text, true, language) ?? pageTime(text, language);
}
