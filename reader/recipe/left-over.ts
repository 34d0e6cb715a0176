import { applyField } from "./apply-recipe.ts";
import { fieldOf } from "./by-form.ts";
import { parseDate } from "./dates.ts";
import { employmentIn } from "./employment.ts";
import { slotsIn } from "./entries.ts";
import { readForm } from "./forms.ts";
import { amount } from "./judges.ts";
import { mayBeLeft } from "./left-over-forms.ts";
import { partsOf } from "./line-parts.ts";
import type { Site } from "./name-index.ts";
import type { Field } from "./recipe.ts";
import { readingOf, type Want } from "./want.ts";

/** A text of the entries that no other field reads. */
interface Place {
  field: Field;
  texts: string[];
}

/** In which order pages write what has no form of its own. */
const order = ["author", "brand", "company", "organizer", "publisher", "location", "category"];
const open = new Set<string | undefined>([
  undefined,
  ...order,
  "employmentType",
  "description",
  "material",
  "color",
  "weekday",
  "language",
]);
const maxPlaces = 40;
const maxText = 300;

/**
 * Fields for wants of entries that nothing names: a single text that is left belongs to the single want that is left, and
 * two to two where pages keep to an order, as in `Holm Rail · Norrvik`. In any other case they stay missing.
 */
export function leftOver(wants: Want[], found: ReadonlyMap<Want, Field>, sites: Site[]): Map<Want, Field> {
  const missing = wants.filter(want => !found.has(want) && isOpen(want));
  const given = new Map<Want, Field>();
  if (sites.length < 2 || missing.length === 0 || missing.length > 4) return given;
  const places = freePlaces(found, sites);
  take(
    missing,
    given,
    places,
    want => want.concept === "employmentType",
    text => employmentIn(text) !== undefined,
  );
  const rest = missing.filter(want => !given.has(want) && want.concept !== "employmentType");
  const free = places.filter(place => !place.texts.some(text => employmentIn(text) !== undefined));
  if (rest.length === 0 || rest.length !== free.length || !isOrdered(rest)) return given;
  const ranked = rest.length === 1 ? rest : rest.toSorted((a, b) => rankOf(a) - rankOf(b));
  for (const [at, want] of ranked.entries()) {
    const place = free[at];
    const isByline = place?.texts.every(text => byline.test(text)) === true;
    const field = place && {
      ...place.field,
      ...readingOf(want),
      ...(isByline ? { as: "person" as const } : {}),
    };
    const isMeant = place?.texts.every(text => mayBeLeft(want, text)) === true;
    if (field && isMeant && sites.every(site => want.accepts(applyField(field, site))))
      given.set(want, field);
  }
  return given;
}

const byline = /^(?:\p{L}+ )?(?:by|von|par|por|door)\s\S/iu;

/** Whether a want may be found by what is left. */
export function isOpen({ kind, format, concept, enum: allowed }: Want): boolean {
  return kind === "string" && format === undefined && allowed === undefined && open.has(concept);
}

function isOrdered(wants: Want[]): boolean {
  return (
    wants.length === 1 ||
    (wants.every(want => rankOf(want) >= 0) && new Set(wants.map(rankOf)).size === wants.length)
  );
}

function rankOf({ concept }: Want): number {
  return order.indexOf(concept ?? "");
}

function take(
  wants: Want[],
  given: Map<Want, Field>,
  places: Place[],
  isFor: (want: Want) => boolean,
  test: (text: string) => boolean,
): void {
  const want = wants.find(isFor);
  const place = places.find(({ texts }) => texts.every(test));
  if (want && place) given.set(want, { ...place.field, ...readingOf(want) });
}

/** The texts, and parts of texts, that differ between the entries, have no form of their own, and are read by no field. */
function freePlaces(found: ReadonlyMap<Want, Field>, sites: Site[]): Place[] {
  const read = sites.map(site => [...found.values()].flatMap(field => textsOf(applyField(field, site))));
  const seen = new Set<unknown>();
  const places = slotsIn(sites).flatMap(slot => {
    const [element] = slot.elements;
    if (!element || seen.has(element) || slot.texts.includes("")) return [];
    seen.add(element);
    if (element.closest("button, label, option, del, s")) return [];
    return split({ field: fieldOf(slot), texts: slot.texts });
  });
  return places.slice(0, maxPlaces).filter(place => isFree(place, read));
}

function split(place: Place): Place[] {
  const parts = place.texts.map(partsOf);
  const count = parts[0]?.length ?? 0;
  const isList = parts.some(each => place.texts.some(text => text === each.join(", ")));
  const isLine =
    !isList &&
    count > 1 &&
    count <= 6 &&
    parts.every(each => each.length === count) &&
    !place.texts.some(isProse);
  if (!isLine) return [place];
  return Array.from({ length: count }, (_, at) => ({
    field: { ...place.field, part: at + 1 },
    texts: parts.map(each => each[at] ?? ""),
  }));
}

function isProse(text: string): boolean {
  return text.length > 120 || /[.!?]["”’)]?$/.test(text);
}

function isFree({ texts }: Place, read: string[][]): boolean {
  if (new Set(texts).size === 1 || !texts.every(isPlainText)) return false;
  return !texts.some((text, at) => read[at]?.some(value => overlaps(text.toLowerCase(), value)));
}

function overlaps(text: string, value: string): boolean {
  return value !== "" && (text.includes(value) || value.includes(text));
}

/** Letters that are no amount, date, address or label. */
function isPlainText(text: string): boolean {
  if (!/\p{L}/u.test(text) || text.length > maxText || /[:：]$/.test(text)) return false;
  if (/@|https?:|www\./.test(text) || amount.test(text) || parseDate(text, false) !== undefined) return false;
  if (text.length < 40 && /\d/.test(text)) return false;
  return readForm("license", text) === undefined;
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return typeof value === "string" ? [value.toLowerCase()] : [];
}
