import { coerce } from "../recipe/coerce.ts";
import { plainValue } from "../recipe/linked-data.ts";
import { isObject } from "../recipe/recipe.ts";
import { readingOf, type Want } from "../recipe/want.ts";

/** What stands for an object where a single value is wanted, the best first. */
const ofTexts =
  "name title headline label displayname display_name full_name text value #text rendered code id href url".split(
    " ",
  );
const ofNumbers =
  "amount value price ratingValue average min low lowPrice count total totalCount #text".split(" ");
const ofAddresses = "href url src contentUrl link permalink @id #text".split(" ");
const ofDates = "date datetime dateTime value start iso timestamp #text".split(" ");
const joinedMost = 20;

/** A value of a document as a text, number or boolean; undefined where it cannot be read as such. */
export function readSingle(want: Want, raw: unknown, base: string): unknown {
  if (Array.isArray(raw)) return readFirst(want, raw, base);
  if (isObject(raw)) {
    const key = namesFor(want).find(name => raw[name] !== undefined && raw[name] !== null);
    return key === undefined ? undefined : readSingle(want, raw[key], base);
  }
  if (want.kind === "boolean" && want.concept === "availability" && typeof raw === "number") return raw > 0;
  const { as, ...reading } = readingOf(want);
  const field = as === "duration" ? { ...reading, as } : reading;
  return coerce({ value: plain(want, raw), machine: true }, field, base, "");
}

/** Texts of documents may be HTML, and times may be numbers. */
function plain(want: Want, raw: unknown): unknown {
  if (typeof raw === "string") return /html/i.test(want.name) ? raw : plainValue(raw);
  const isMoment = want.format === "date" || want.format === "date-time";
  return typeof raw === "number" && isMoment ? momentOf(raw) : raw;
}

/** Seconds or milliseconds since 1970, of the years 2001 to 2286. */
function momentOf(number: number): unknown {
  if (number >= 1e9 && number < 1e10) return new Date(number * 1000).toISOString();
  return number >= 1e12 && number < 1e13 ? new Date(number).toISOString() : number;
}

/** A list where one value is wanted: the link to the entry itself, the only value, or the texts in a row. */
function readFirst(want: Want, raw: unknown[], base: string): unknown {
  if (isAddress(want)) {
    const own = raw.find(each => isObject(each) && (each.rel === undefined || each.rel === "alternate"));
    return readSingle(want, own ?? raw[0], base);
  }
  if (raw.length === 1) return readSingle(want, raw[0], base);
  if (want.kind !== "string" || want.format !== undefined || want.enum) return undefined;
  const texts = raw.slice(0, joinedMost).map(each => readSingle(want, each, base));
  return texts.every(text => typeof text === "string") && texts.length > 0 ? texts.join(", ") : undefined;
}

function isAddress(want: Want): boolean {
  return readingOf(want).format === "uri";
}

function namesFor(want: Want): readonly string[] {
  if (want.kind === "number" || want.kind === "integer") return ofNumbers;
  if (isAddress(want)) return ofAddresses;
  return want.format === "date" || want.format === "date-time" ? ofDates : ofTexts;
}
