import { fieldOf } from "./by-form.ts";
import { type Slot, shareOf, slotsIn } from "./entries.ts";
import { partsOf } from "./line-parts.ts";
import type { Site } from "./name-index.ts";
import { neighboursOf } from "./near-heading.ts";
import type { Field } from "./recipe.ts";
import { selectorFor, selectorsWithin } from "./selector-for.ts";
import { shortTextOf } from "./text-of.ts";
import type { Want } from "./want.ts";

/** Fields for values that pages set off in one way: stars for those who do not see, votes in brackets, a journal in italics. */
export function* byLook(want: Want, site: Site, sites: Site[]): Generator<Field> {
  const isJournal = want.kind === "string" && journals.test(want.name);
  if (isJournal) yield* site.isPage ? citedOnPage(site) : slanted(sites);
  if (site.isPage && want.format === "email") yield* emailOnPage(site);
  if (site.isPage) return;
  if (want.format === "email") yield* ofText(/[^\s@]+@[^\s@]+\.\p{L}{2,}/u, sites);
  if (want.concept === "rating") {
    // The stars of a hotel are no rating of its guests.
    const isOfTwo = want.name !== "stars" && want.peers?.some(({ name }) => name === "stars");
    if (!isOfTwo) yield* inAttributes(sites);
    yield* bareRatings(sites);
  }
  if (want.concept === "reviewCount" || /^(?:reviews|ratings|votes)$/.test(want.name))
    yield* bracketed(sites);
  if (want.kind === "integer" && places.test(want.name)) yield* ordinals(sites);
}

const journals = /^(?:journal|journal_?(?:name|title)|publication|magazine|newspaper)$/i;
const places =
  /^(?:rank|ranking|position|pos|place|number|no|nr|index|episode|episode_?number|track|track_?number|chapter)$/i;

/** The place of slots, if it is a single one. */
function* only(found: Slot[]): Generator<Field> {
  if (new Set(found.map(slot => slot.elements[0])).size === 1 && found[0]) yield fieldOf(found[0]);
}

/** The journal in a line with its year, volume or pages: in italics, or the first part. */
function* citedOnPage(site: Site): Generator<Field> {
  for (const { element, text, attribute } of neighboursOf(site.page)) {
    if (attribute !== undefined || text.length > 120 || /\d/.test(text.slice(0, 3))) continue;
    const line = element.parentElement && shortTextOf(element.parentElement, 200);
    if (/:|^(?:by|von|par|por|di|door)\s/i.test(text.split(",")[0] ?? "")) continue;
    const isSlanted = /^(?:i|em|cite)$/.test(element.localName) && /^\p{Lu}[^\d]*$/u.test(text);
    const isCited = isSlanted && line?.startsWith(text) && years.test(line);
    const parts = element.children.length === 0 ? partsOf(text) : [];
    const isFirst =
      parts.length > 2 && !/\d/.test(parts[0] ?? "") && parts.slice(1).every(part => /\d/.test(part));
    const selector =
      isCited || (isFirst && years.test(text)) ? selectorFor(element, site.element) : undefined;
    if (selector) yield isCited ? { selector } : { selector, part: 1 };
  }
}

/** The one address that the texts of a page have. */
function* emailOnPage(site: Site): Generator<Field> {
  const found = neighboursOf(site.page).flatMap(({ element, text, attribute }) => {
    const address = attribute === undefined ? emails.exec(text)?.[0].replace(/\.$/, "") : undefined;
    return address === undefined ? [] : [{ element, address }];
  });
  const [first] = found;
  const selector =
    first &&
    new Set(found.map(({ address }) => address)).size === 1 &&
    selectorFor(first.element, site.element);
  if (selector) yield { selector };
}

const emails = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/;
const years = /(?<!\d)(?:19|20)\d\d(?!\d)/;

/** What entries say to those who do not see them: `<div aria-label="4.5 out of 5 stars">`. */
function* inAttributes(sites: Site[]): Generator<Field> {
  const [first] = sites;
  if (!first) return;
  for (const attribute of ["aria-label", "title", "alt"])
    for (const element of first.element.querySelectorAll(`[${attribute}]`).slice(0, 8)) {
      if (!/\d/.test(element.getAttribute(attribute) ?? "")) continue;
      for (const selector of selectorsWithin(element, first.element)) yield { selector, attribute };
    }
}

/** A journal is in italics beside its year. */
function* slanted(sites: Site[]): Generator<Field> {
  const found = slotsIn(sites).filter(({ elements }) =>
    elements.every(element => element !== null && /^(?:i|em|cite)$/.test(element.localName)),
  );
  yield* only(found);
}

function* ofText(form: RegExp, sites: Site[]): Generator<Field> {
  const found = slotsIn(sites).filter(slot => shareOf(slot, text => form.test(text)) >= 0.6);
  if (found[0]) yield fieldOf(found[0]);
}

/** A rating without its scale is a small decimal that is all of a text, where there is one such place only. */
function* bareRatings(sites: Site[]): Generator<Field> {
  const found = slotsIn(sites).filter(slot => shareOf(slot, text => /^★?\s?\d{1,2}[.,]\d$/.test(text)) === 1);
  yield* only(found);
}

/** `(218)` beside a rating is the number of its reviews. */
function* bracketed(sites: Site[]): Generator<Field> {
  const found = slotsIn(sites).filter(slot => shareOf(slot, text => /^\(\d[\d.,]*[kK]?\)$/.test(text)) === 1);
  yield* only(found);
}

/** A whole number at the start of each entry that counts up or down is its place. */
function* ordinals(sites: Site[]): Generator<Field> {
  for (const slot of slotsIn(sites).slice(0, 4)) {
    const numbers = slot.texts.map(text => {
      const [, alone, before] = ordinal.exec(text) ?? [];
      return Number(alone ?? before ?? Number.NaN);
    });
    if (numbers.length < 2 || numbers.some(Number.isNaN)) continue;
    const steps = numbers.slice(1).map((value, at) => Math.sign(value - (numbers[at] ?? 0)));
    if (steps[0] !== 0 && steps.every(step => step === steps[0])) yield fieldOf(slot);
  }
}

/** `Episode 42`, `3.`, or `#6 Bells under water`. */
const ordinal = /^(?:(?:no\.?\s?|#|\p{L}+\s)?(\d{1,5})\.?$|#(\d{1,5})\s)/iu;
