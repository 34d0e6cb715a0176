import { fieldOf } from "./by-form.ts";
import { parseDate } from "./dates.ts";
import { coverageOf, isDistinct, isWithin, markOf, type Slot, shareOf, slotsIn } from "./entries.ts";
import { readForm } from "./forms.ts";
import { partsOf } from "./line-parts.ts";
import type { Site } from "./name-index.ts";
import type { PageElement } from "./page-element.ts";
import type { Field } from "./recipe.ts";
import { selectorsWithin } from "./selector-for.ts";
import { linesOf, textOf } from "./text-of.ts";
import type { Want } from "./want.ts";

const money =
  /(?:[$€£¥₹₽]|\b(?:USD|EUR|GBP|CHF|JPY|SEK|NOK|DKK|PLN|Rs)\b)\.?\s?\d|\d\s?(?:[$€£¥₹₽]|(?:USD|EUR|GBP|CHF|JPY|SEK|NOK|DKK|PLN|kr|zł)\b)/;
const struckTag = /^(del|s|strike)$/;
const struckName =
  /(^|[-_])(old|was|original|before|strike|struck|crossed|regular|list|rrp|msrp|uvp)([-_]|$)|line-through/i;
const struckStyle = '[style*="line-through"]';
const headings = /^(h[1-6]|summary|caption|dt|legend|figcaption)$/;
const notes =
  /^(?:be the first|add to|read more|learn more|more|reply|share|like|report|quote|view|see|show|buy|new|sale|sponsored|advertisement|ad|compare|quick|wish|save|follow|select|choose|sold out|in stock|by)\b|\b(?:reviews?|ratings?|comments?|views?|replies)$/i;
const people = /\/(?:u|users?|members?|profiles?|authors?|people|~|@)[/.?=-]|\/@/i;
const peopleNames =
  /(^|[-_])(author|user|username|poster|member|nick|nickname|byline|vcard|fn|screenname)([-_]|$)/i;

/** Fields that read a value of the entries by its form and place, for entries whose names say nothing. Best first. */
export function* entryFields(want: Want, sites: Site[]): Generator<Field> {
  const { concept, format } = want;
  if (concept === "title") yield* titled(want, sites);
  else if (concept === "url") yield* links(sites);
  else if (concept === "image") yield* images(sites);
  else if (concept === "price") yield* prices(sites);
  else if (concept === "salary")
    yield* fieldsOf(ranked(sites, slot => shareOf(slot, text => money.test(text)) - 0.5));
  else if (concept === "author") {
    yield* fieldsOf(authors(sites));
    yield* bylines(sites);
  } else if (concept === "question") yield* fieldsOf(questions(sites));
  else if (concept === "answer") yield* answers(sites);
  else if (concept === "content" || concept === "description") yield* prose(sites);
  else if (want.name === "value") yield* values(sites);
  else if (concept === "date" || concept === "start" || format === "date" || format === "date-time")
    yield* dates(sites);
}

/** Titles, without the year in brackets behind them where that is wanted by itself. */
function* titled({ peers }: Want, sites: Site[]): Generator<Field> {
  const isYearWanted = peers?.some(({ concept }) => concept === "year") === true;
  for (const slot of titles(sites)) {
    const isYearGiven = isYearWanted && shareOf(slot, isDated) > 0.5;
    const isNumbered =
      peers?.some(({ kind }) => kind === "integer") && shareOf(slot, text => /^#\d/.test(text)) > 0.5;
    if (isYearGiven) yield { ...fieldOf(slot), as: "undated" };
    else yield isNumbered ? { ...fieldOf(slot), as: "unnumbered" } : fieldOf(slot);
  }
}

function isDated(text: string): boolean {
  return readForm("undated", text) !== text;
}

function* fieldsOf(slots: Slot[]): Generator<Field> {
  for (const slot of slots) yield fieldOf(slot);
}

/** Slots of most samples with a score above zero, the best four. */
function ranked(sites: Site[], score: (slot: Slot, place: number) => number, coverage = 0.6): Slot[] {
  return slotsIn(sites)
    .filter(slot => coverageOf(slot) >= coverage)
    .map((slot, place) => ({ slot, points: score(slot, place) * coverageOf(slot) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, 4)
    .map(({ slot }) => slot);
}

const keptTitles = new WeakMap<Site[], Slot[]>();

function titles(sites: Site[]): Slot[] {
  const before = keptTitles.get(sites);
  const found = before ?? titlesOf(sites);
  if (!before) keptTitles.set(sites, found);
  return found;
}

function titlesOf(sites: Site[]): Slot[] {
  return ranked(sites, (slot, place) => {
    if (!isDistinct(slot) || shareOf(slot, isTitle) < 0.6) return 0;
    const elements = given(slot, sites);
    const count = (test: (element: PageElement, root: PageElement) => boolean, points: number) =>
      (points * elements.filter(({ element, root }) => test(element, root)).length) / elements.length;
    return (
      2 +
      count(({ localName }) => headings.test(localName), 6) +
      count((element, root) => isWithin(element, root, name => headings.test(name)), 2) +
      count(
        (element, root) => isWithin(element, root, name => /title|name|headline|subject/i.test(name)),
        4,
      ) +
      count((element, root) => isWithin(element, root, name => peopleNames.test(name)), -6) +
      count(element => isLinked(element), 3) +
      count(({ localName }) => /^(strong|b|th|code)$/.test(localName), 1) -
      (slot.isOwnText && slot.selector === ":scope" ? 2 : 0) +
      count(element => element.closest("button, label") !== null, -6) -
      place * 0.1
    );
  });
}

function isTitle(text: string): boolean {
  return /\p{L}{2}/u.test(text) && text.length <= 250 && !notes.test(text) && !isMoney(text) && !isDate(text);
}

function isMoney(text: string): boolean {
  return text.length < 60 && money.test(text) && text.replace(/[\d.,\s]/g, "").length < 12;
}

function isDate(text: string): boolean {
  return text.length < 40 && parseDate(text, false) !== undefined;
}

/** A link to another page, around the element or in it. */
function isLinked(element: PageElement): boolean {
  const link = element.closest("a[href]") ?? element.querySelector("a[href]");
  return link !== null && !/#|^javascript:/.test(link.getAttribute("href") ?? "");
}

function given({ elements }: Slot, sites: Site[]): { element: PageElement; root: PageElement }[] {
  return elements.flatMap((element, index) => {
    const root = sites[index]?.element;
    return element && root ? [{ element, root }] : [];
  });
}

/** The link of the title; else the first one that differs between the entries. */
function* links(sites: Site[]): Generator<Field> {
  if (sites.every(({ element }) => element.localName === "a")) yield { selector: ":scope" };
  for (const slot of titles(sites))
    if (given(slot, sites).every(({ element }) => isLinked(element))) yield { selector: slot.selector };
  yield { selector: 'a[href]:not([href^="#"])' };
}

/** The second of two texts. */
function* values(sites: Site[]): Generator<Field> {
  const slots = slotsIn(sites).filter(slot => coverageOf(slot) === 1);
  const places = new Map(slots.map(slot => [slot.elements[0], slot]));
  const [, second] = [...places.values()];
  if (second && places.size === 2) yield fieldOf(second);
}

/** The first image that differs between the entries: badges do not. */
function* images(sites: Site[]): Generator<Field> {
  const [first] = sites;
  for (const image of first?.element.querySelectorAll("img").slice(0, 4) ?? [])
    for (const selector of first ? ["img", ...selectorsWithin(image, first.element)] : []) {
      const found = sites.flatMap(({ element }) => element.querySelector(selector) ?? []);
      const sources = new Set(found.map(({ attributes }) => [...attributes.values()].join(" ")));
      if (sources.size * 2 > found.length || found.length < 3) yield { selector };
    }
}

/** What an amount of money has, of whatever parts its text is put together. */
const moneySign = /[$€£¥₹₽]|USD|EUR|GBP|CHF|JPY|SEK|NOK|DKK|PLN|Rs|kr|zł/;

function mayHavePrice({ element }: Site): boolean {
  const text = element.textContent;
  return moneySign.test(text) && /\d/.test(text);
}

/** The current price, also where some entries have an old one before it. */
function* prices(sites: Site[]): Generator<Field> {
  if (!sites.some(mayHavePrice)) return;
  const found = ranked(
    sites,
    (slot, place) => {
      if (shareOf(slot, text => text.length < 80 && money.test(text)) < 0.6) return 0;
      const marks = given(slot, sites).map(({ element, root }) => struckBy(element, root));
      const isOld = marks.every(mark => mark !== undefined) || marks[0] !== undefined;
      const names = given(slot, sites).map(({ element }) => element.getAttribute("class") ?? "");
      const current = names.some(name => /current|sale|special|now|final|actual/i.test(name)) ? 2 : 0;
      const other = names.some(name => /unit|per-|ship|deliver|sav|discount|month|installment/i.test(name))
        ? 4
        : 0;
      const length = slot.texts.reduce((sum, text) => sum + text.length, 0) / slot.texts.length;
      return isOld ? 0 : 8 + current - other - length / 20 - place * 0.05;
    },
    0.5,
  );
  for (const slot of found) yield { ...fieldOf(slot), selector: withoutStruck(slot, sites) };
}

function struckBy(element: PageElement, root: PageElement): string | undefined {
  const mark = markOf(element, root, name => struckTag.test(name) || struckName.test(name));
  const styled = mark === undefined ? element.closest(struckStyle) : null;
  return styled !== null && root.contains(styled) ? struckStyle : mark;
}

function withoutStruck(slot: Slot, sites: Site[]): string {
  const roots = sites.map(({ element }) => element);
  const all = roots.flatMap(root =>
    slot.selector === ":scope"
      ? []
      : root.querySelectorAll(slot.selector).map(element => ({ element, root })),
  );
  const marks = new Set(all.flatMap(({ element, root }) => struckBy(element, root) ?? []));
  const nots = [...marks].slice(0, 3).map(mark => `:not(${mark}):not(${mark} *)`);
  return `${slot.selector}${nots.join("")}`;
}

function authors(sites: Site[]): Slot[] {
  return ranked(sites, (slot, place) => {
    const isName = (text: string) =>
      /\p{L}/u.test(text) && text.length <= 60 && !/[.!?:]$/.test(text) && !isMoney(text) && !isDate(text);
    if (shareOf(slot, isName) < 0.8) return 0;
    const places = given(slot, sites);
    const share = (test: (element: PageElement, root: PageElement) => boolean) =>
      places.filter(({ element, root }) => test(element, root)).length / places.length;
    const linked = share(element => people.test(element.closest("a[href]")?.getAttribute("href") ?? ""));
    const named = share((element, root) => isWithin(element, root, name => peopleNames.test(name)));
    const stated = share(element => element.closest('[rel~="author"]') !== null);
    if (linked + named + stated === 0 || (new Set(slot.texts).size === 1 && slot.texts.length > 2)) return 0;
    const isBold = share(({ localName }) => /^(a|b|strong|cite)$/.test(localName));
    return 4 * linked + 3 * named + 5 * stated + isBold - place * 0.1;
  });
}

/** The part of a line that begins with `by`. */
function* bylines(sites: Site[]): Generator<Field> {
  for (const slot of slotsIn(sites).filter(each => coverageOf(each) === 1)) {
    const parts = slot.texts.map(partsOf);
    const at = parts[0]?.findIndex(part => by.test(part)) ?? -1;
    if (at >= 0 && parts.every(each => by.test(each[at] ?? ""))) yield { ...fieldOf(slot), part: at + 1 };
  }
}

const by = /^(?:(?:written|posted|photo|text) )?(?:by|von|par|por|di|door)\s\p{Lu}/iu;

function* dates(sites: Site[]): Generator<Field> {
  if (sites.some(({ element }) => element.querySelector("time[datetime]")))
    yield { selector: "time[datetime]" };
  yield* fieldsOf(ranked(sites, (slot, place) => (shareOf(slot, isDate) < 0.6 ? 0 : 5 - place * 0.05)));
}

function questions(sites: Site[]): Slot[] {
  return ranked(sites, (slot, place) => {
    if (!isDistinct(slot) || shareOf(slot, text => /\p{L}{2}/u.test(text)) < 0.8) return 0;
    const asks = shareOf(slot, text => /[?？]\s*$/.test(text));
    const isHead = headed(slot) ? 3 : 0;
    if (asks < 0.5 && isHead === 0) return 0;
    return 1 + asks * 4 + isHead - place * 0.6;
  });
}

function headed({ elements }: Slot): boolean {
  return elements.every(
    element => element === null || /^(h[1-6]|summary|dt|button|strong|b|th|caption)$/.test(element.localName),
  );
}

/** What an entry says besides its question. */
function* answers(sites: Site[]): Generator<Field> {
  const [question] = questions(sites);
  if (!question) return;
  const { selector } = question;
  const holder = sites[0] && beside(sites[0].element, selector);
  const places = holder && sites[0] ? selectorsWithin(holder, sites[0].element) : [];
  for (const place of places.filter(found => found !== ":scope"))
    if (sites.every(({ element }) => holdsRest(element, place, selector))) yield { selector: place };
  yield { selector: ":scope", except: selector };
}

/** The element with all the text of the entry that is not the question's. */
function beside(root: PageElement, question: string): PageElement | undefined {
  const head = root.querySelector(question);
  const rest = head ? textOf(root, [head]) : "";
  return root
    .querySelectorAll("*")
    .slice(0, 60)
    .find(element => head && !element.contains(head) && !head.contains(element) && textOf(element) === rest);
}

function holdsRest(root: PageElement, place: string, question: string): boolean {
  const [head, found] = [root.querySelector(question), root.querySelector(place)];
  return head !== null && found !== null && textOf(found) === textOf(root, [head]);
}

/** The element with most running text and least else. */
function* prose(sites: Site[]): Generator<Field> {
  const longest = [...sites].sort((a, b) => textOf(b.element).length - textOf(a.element).length)[0];
  if (!longest) return;
  const found = longest.element
    .querySelectorAll("p, div, td, section, blockquote, span, dd, article")
    .slice(0, 150)
    .map(element => ({ element, points: pointsOfProse(element) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, 2);
  for (const { element } of found)
    for (const selector of selectorsWithin(element, longest.element)) yield { selector };
}

function pointsOfProse(element: PageElement): number {
  if (
    element.closest('a, button, [class*="signature"]') ||
    element.querySelector("h1, h2, h3, h4, h5, h6, time")
  )
    return 0;
  const lines = linesOf(element);
  return lines.reduce((sum, line) => {
    const isProse =
      !isDate(line) && !isMoney(line) && (line.length > 40 || /[.!?…。？！]["”’)]?$/.test(line));
    return sum + (isProse ? line.length : -2 * line.length - 5);
  }, 0);
}
