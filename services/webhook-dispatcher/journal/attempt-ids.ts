import { encodeTime } from "ulid";

/** Crockford's base32, as in ULIDs. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** An id is ten characters of time, eleven of chance, and five that count. */
const [chanceLength, countLength] = [11, 5];
const countsFrom = 26 - countLength;
const counts = 32 ** countLength;

/** How far the clock may be set back before ids follow it. */
const mostBehindMs = 60_000;

let time = 0;
let chance = "";
let count = counts;

/**
 * The first of so many new ids that follow one another and share a millisecond. They are later than all others of this
 * process, unless the clock is far behind those: it was ahead then. No other ids are among them, not even of the same
 * millisecond: their chance is of 55 bits.
 */
export function takeIds(many: number, now: number): string {
  const isFarBehind = now < time - mostBehindMs;
  if (now > time || isFarBehind || count + many > counts) {
    time = isFarBehind ? now : Math.max(now, time + 1);
    chance = encodeTime(time, 10) + Array.from({ length: chanceLength }, randomDigit).join("");
    count = Math.floor((Math.random() * counts) / 2);
  }
  const first = chance + digits(count);
  count += many;
  return first;
}

/** The id so many places after another one. */
export function idAfter(first: string, places: number): string {
  if (places === 0) return first;
  return first.slice(0, countsFrom) + digits(numberOf(first.slice(countsFrom)) + places);
}

/** How many places an id comes after another one; undefined where it does not follow it. */
export function placesAfter(first: string, id: string): number | undefined {
  if (id === first) return 0;
  if (id.length !== first.length || !id.startsWith(first.slice(0, countsFrom))) return undefined;
  const places = numberOf(id.slice(countsFrom)) - numberOf(first.slice(countsFrom));
  return places > 0 ? places : undefined;
}

function randomDigit(): string {
  return alphabet.charAt(Math.floor(Math.random() * 32));
}

function digits(value: number): string {
  let text = "";
  for (let left = value, n = 0; n < countLength; n += 1, left >>>= 5)
    text = alphabet.charAt(left & 31) + text;
  return text;
}

/** Not a number for text that is none. */
function numberOf(text: string): number {
  let value = 0;
  for (const digit of text) {
    const at = alphabet.indexOf(digit);
    value = at < 0 ? Number.NaN : value * 32 + at;
  }
  return value;
}
