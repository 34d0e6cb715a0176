import { type Concept, concepts } from "./concepts.ts";
import { coverageOf, type Slot, shareOf, slotsIn } from "./entries.ts";
import { type Form, readForm } from "./forms.ts";
import { amount, isInProse, type Neighbour } from "./judges.ts";
import { partsOf } from "./line-parts.ts";
import type { Site } from "./name-index.ts";
import { headingsOf, neighboursOf } from "./near-heading.ts";
import type { PageElement } from "./page-element.ts";
import { isForm } from "./read-as.ts";
import type { Field } from "./recipe.ts";
import { selectorFor } from "./selector-for.ts";
import { shortTextOf, wordsOf } from "./text-of.ts";
import { measureIn, statesUnit, type UnitName } from "./units.ts";
import type { Want } from "./want.ts";

/** Fields for values that are known by their form: a version, a DOI, an amount of a unit; the surest first. */
export function* byForm(want: Want, site: Site, sites: Site[]): Generator<Field> {
  const form = formOf(want);
  if (form !== undefined) yield* site.isPage ? onPage(form, site) : inEntries(form, sites);
  const units = unitsOf(want);
  for (const unit of units)
    yield* site.isPage ? measuredOnPage(unit, want, site) : measuredInEntries(unit, sites);
}

/** Forms that a page may state of several things: only a single one counts. */
const ofOne = new Set<Form>([
  "year",
  "phone",
  "time",
  "opens",
  "closes",
  "period",
  "path",
  "weekday",
  "signed",
  "symbol",
  "stock",
  "address",
]);
const named: [names: RegExp, form: Form][] = [
  [/^(?:opens|open|opens_at|opening_time|opensAt|openingTime)$/, "opens"],
  [/^(?:closes|close|closes_at|closing_time|closesAt|closingTime)$/, "closes"],
  [/^(?:username|handle|screen_?name|user_?name|login)$/i, "username"],
  [/(?:^|_)time$|[a-z]Time$/, "time"],
];

function formOf(want: Want): Form | undefined {
  const known: Concept | undefined = want.concept && concepts[want.concept];
  if (want.kind === "string" && want.format === undefined) {
    const byName = named.find(([names]) => names.test(want.name))?.[1];
    if (byName !== undefined) return byName;
    if (want.concept === "weekday") return "weekday";
    if (want.concept === "language") return "languageName";
    if (/^(?:symbol|ticker|ticker_?symbol|stock_?symbol)$/i.test(want.name)) return "symbol";
  }
  if (want.concept === "availability") return "stock";
  if (want.concept === "address") return "address";
  if (want.kind === "number" && /^(?:price_?)?change$/i.test(want.name)) return "signed";
  return isForm(known?.as) ? known.as : undefined;
}

function* inEntries(form: Form, sites: Site[]): Generator<Field> {
  const found = slotsIn(sites)
    .filter(slot => coverageOf(slot) >= 0.6 && shareOf(slot, text => isSure(form, text)) >= 0.6)
    .map(slot => ({ slot, share: takenBy(form, slot) }))
    .sort((a, b) => b.share - a.share);
  const places = new Set(found.map(({ slot }) => slot.elements[0] ?? slot.elements.find(Boolean)));
  if (ofOne.has(form) && places.size > 1 && !isClear(found)) return;
  for (const { slot } of found.slice(0, 3)) yield { ...fieldOf(slot), as: form };
}

/** Whether a text that no label is beside has the form: a version of two numbers may be a rating. */
function isSure(form: Form, text: string): boolean {
  const found = readForm(form, text);
  if ((form === "version" && ofOthers.test(text)) || (form === "phone" && isFax.test(text))) return false;
  return (
    found !== undefined && (form !== "version" || /\d\.\d+\.\d|\bv\d|\b(?:version|release)\b/i.test(text))
  );
}

/** The version of what something else needs, and a number that is no telephone's. */
const ofOthers =
  /\b(?:requires?|required|needs?|supports?|supported|compatible|tested|minimum|or (?:later|newer|higher|above)|benötigt|erfordert|nécessite|requiere|richiede|vereist)\b|[≥>]=?\s?\d/i;
const isFax = /^[^\d+(]*\b(?:tele)?fax\b/i;

/** Times stand on pages for many reasons: without a label they say nothing of the page. */
const labelled = new Set<Form>(["time", "opens", "closes", "weekday"]);

function isOfPage(
  form: Form,
  { element, text, distance }: Pick<Neighbour, "element" | "text" | "distance">,
): boolean {
  if (form === "phone" && isFax.test(textBefore(element))) return false;
  if (labelled.has(form) || isInProse(element) || !(ofParts.has(form) || isSure(form, text))) return false;
  if (form === "symbol") return distance <= 4;
  if (form === "year") return !/^h[1-6]$/.test(element.localName);
  if (form === "version") return text.length <= 60;
  if (form === "period")
    return text.length <= 40 && amount.test(shortTextOf(element.parentElement ?? element, 120) ?? "");
  if (form === "license") return /licen[sc]|lizenz|-\d/i.test(text);
  if (form !== "method" && form !== "path") return true;
  return endpoint.test(shortTextOf(element.parentElement ?? element, 300) ?? text);
}

/** The text right before an element, which may be its label. */
function textBefore({ previousElementSibling, parentElement }: PageElement): string {
  const own = previousElementSibling && shortTextOf(previousElementSibling, 40);
  return own ?? (parentElement && shortTextOf(parentElement, 80)) ?? "";
}

const endpoint = /(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+(?:https?:\/\/\S+|\/[\w{}:~.$*/-]*)/;

/** The first takes all of its text, the next one little of it. */
function isClear([first, second]: { share: number }[]): boolean {
  return first !== undefined && first.share > 0.9 && (second?.share ?? 0) < 0.5;
}

function takenBy(form: Form, { texts }: Slot): number {
  const shares = texts.flatMap(text =>
    text === "" ? [] : [(readForm(form, text)?.length ?? 0) / text.length],
  );
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(shares.length, 1);
}

export function fieldOf({ selector, isOwnText }: Slot): Field {
  return isOwnText ? { selector, except: "*" } : { selector };
}

function* onPage(form: Form, site: Site): Generator<Field> {
  const found = [...(form === "address" ? headingsOf(site.page) : []), ...neighboursOf(site.page)]
    .filter(({ attribute, text }) => attribute === undefined && text.length <= (ofOne.has(form) ? 80 : 120))
    .filter(({ element, text, distance }) => isOfPage(form, { element, text, distance }))
    .flatMap(({ element, text }) => readParts(form, text).map(found => ({ element, ...found })));
  const sure = form === "year" ? surestYears(found) : found;
  if (ofOne.has(form) && new Set(sure.map(({ value }) => value)).size > 1) return;
  for (const { element, part } of innermost(sure).slice(0, 2)) {
    const selector = selectorFor(element, site.element);
    if (selector !== undefined) yield { selector, ...(part === undefined ? {} : { part }), as: form };
  }
}

/** A year in brackets is surer than one beside other facts; one in a sentence is none of the page. */
function surestYears<Found extends { isWhole: boolean; isBracketed: boolean }>(found: Found[]): Found[] {
  const bracketed = found.filter(({ isBracketed }) => isBracketed);
  return bracketed.length > 0 ? bracketed : found.filter(({ isWhole }) => isWhole);
}

/** A form that is all of a text may also be all of one of its parts. */
const ofParts = new Set<Form>(["languageName", "stock", "weekday", "symbol"]);

interface Stated {
  value: string;
  part?: number;
  isWhole: boolean;
  isBracketed: boolean;
}

function readParts(form: Form, text: string): Stated[] {
  const value = readForm(form, text);
  if (value !== undefined)
    return [{ value, isWhole: isWhole(value, text), isBracketed: text.endsWith(`(${value})`) }];
  const parts = ofParts.has(form) ? partsOf(text) : [];
  const at = parts.length > 1 ? parts.findIndex(part => readForm(form, part) !== undefined) : -1;
  const found = readForm(form, parts[at] ?? "");
  return found === undefined ? [] : [{ value: found, part: at + 1, isWhole: false, isBracketed: false }];
}

/** The innermost ones of elements that state the same within one another. */
function innermost<Found extends { element: PageElement }>(found: Found[]): Found[] {
  return found.filter(({ element }, at) => {
    const next = found[at + 1];
    return next === undefined || next.element === element || !element.contains(next.element);
  });
}

/** The form is all of a text, or ends it in brackets, or is in a line of facts. */
function isWhole(value: string, text: string): boolean {
  return (
    value === text.trim() || text.endsWith(`(${value})`) || (text.length <= 60 && partsOf(text).length > 1)
  );
}

const generic =
  /^(?:|living|floor|total|usable|max|net|gross)\s?(?:|area|size|surface|duration|length|runtime|weight|mileage|distance|storage|odometer|running|play|reading|watch|wind|power|energy|change|discount|altitude|elevation|height|depth|capacity|volume|range|speed|memory)$/;
/** Nouns that are amounts of a unit, whose names do not say which. */
const ofNouns: Record<string, UnitName[]> = {
  area: ["m2", "sqft"],
  livingarea: ["m2", "sqft"],
  mileage: ["km", "mi"],
  weight: ["kg"],
  humidity: ["percent"],
};

function unitsOf({ name, unit, kind, words }: Want): UnitName[] {
  if (kind !== "number" && kind !== "integer") return [];
  if (unit === undefined) return ofNouns[words[0] ?? ""] ?? [];
  const stem = words.length > 1 && words[0] !== words[1] ? (words[1] ?? "") : "";
  const isBare = /^(?:minutes|hours|mins|days)$/.test(name);
  return isBare || generic.test(stem.replace(/(area|size|wind|speed)$/, " $1").trim()) ? [unit] : [];
}

function* measuredInEntries(unit: UnitName, sites: Site[]): Generator<Field> {
  const language = sites[0]?.page.language ?? "";
  const found = slotsIn(sites).filter(
    slot =>
      coverageOf(slot) >= 0.6 &&
      shareOf(slot, text => text.length <= 120 && measureIn(text, unit, language, true) !== undefined) >= 0.8,
  );
  const places = new Set(found.map(slot => slot.elements[0] ?? slot.elements.find(Boolean)));
  if (places.size === 1 && found[0]) yield { ...fieldOf(found[0]), unit };
}

/** `6 hours ago`, `30-day trial`: a time, but none of the subject. */
function isPassing(text: string): boolean {
  return /\b(?:ago|vor|il y a|hace|fa|trial|within|after|since|last|next|every|return|refund)\b/i.test(text);
}

/** A part of a text is the measure, beside words for it alone: `64 m² living area`, and no `3 m cable`. */
function isAlone(text: string, unit: UnitName, { words }: Want): boolean {
  return partsOf(text).some(part => {
    const rest = wordsOf(part.replace(/sq\.?\s(?:m|ft|feet|met)\p{L}*/giu, "")).filter(
      word => !/\d/.test(word) && measureIn(`1 ${word}`, unit, "", true) === undefined,
    );
    const isOfIt = rest.every(word => besides.test(word) || words.includes(word) || generic.test(word));
    return isOfIt && measureIn(part, unit, "", true) !== undefined;
  });
}

const besides =
  /^(?:about|approx|approximately|around|ca|circa|etwa|environ|only|just|of|in|and|to|read|total|live|space|wohnfläche|lesezeit|time)$/;

function* measuredOnPage(unit: UnitName, want: Want, site: Site): Generator<Field> {
  const all = neighboursOf(site.page)
    .filter(
      ({ attribute, text, element }) => attribute === undefined && text.length <= 60 && !isInProse(element),
    )
    .flatMap(({ element, text }) => {
      const value =
        isPassing(text) || element.closest("a") !== null || !isAlone(text, unit, want)
          ? undefined
          : measureIn(text, unit, site.page.language, true);
      return value === undefined ? [] : [{ element, value, isOwn: statesUnit(text, unit) }];
    });
  const own = all.filter(({ isOwn }) => isOwn);
  const found = own.length > 0 ? own : all;
  if (new Set(found.map(({ value }) => value)).size !== 1) return;
  for (const { element } of innermost(found).slice(0, 1)) {
    const selector = selectorFor(element, site.element);
    if (selector !== undefined) yield { selector, unit };
  }
}
