import { parseDate } from "../../../reader/recipe/dates.ts";

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
// RFC 822, 5.1, in hours; other names count as UTC, as RFC 5322, 4.3 asks.
const zones: Record<string, number> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
};

const rfc822 =
  /^(?:\p{L}+\.?,?\s+)?(\d{1,2})[\s-]+(\p{L}{3})\p{L}*\.?,?[\s-]+(\d{4}|\d{2})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*([+-]\d{2}:?\d{2}|[A-Z]{1,5}(?:[+-]\d{2}:?\d{2})?)?/iu;
// As C's asctime prints it, with or without a zone: Tue Jun  3 10:00:00 UTC 2025.
const asctime = /^[a-z]{3}\s+([a-z]{3})\s+(\d{1,2})\s+([\d:]{5,8})\s+(?:([a-z]{3,4}|[+-]\d{4})\s+)?(\d{4})$/i;
const iso =
  /^(\d{4})-?(\d{2})(?:-?(\d{2}))?(?:[T\s]+(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?(?:\d{2})?)?$/i;

// Dates are not longer; the search for one takes the square of the length.
const maxLength = 100;

/**
 * The instant of a feed's date as ISO 8601 in UTC; undefined for any other text. Accepts RFC 822 and ISO 8601 as feeds
 * really write them (wrong weekdays, two-digit years, named zones, no zone: UTC), seconds since 1970, and dates
 * in words.
 */
export function feedDate(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? "";
  if (trimmed.length > maxLength) return undefined;
  const given = trimmed.replace(asctime, "$2 $1 $5 $3 $4");
  const ms = fromIso(given) ?? fromRfc822(given) ?? fromUnix(given) ?? fromWords(given);
  if (ms === undefined || !(ms > 0 && ms < Date.UTC(2200, 0))) return undefined;
  return new Date(ms).toISOString();
}

function fromIso(text: string): number | undefined {
  const [, year, month, day = "1", hours, minutes, seconds, zone] = iso.exec(text) ?? [];
  if (year === undefined || (month ?? "") > "12") return undefined;
  return instant(Number(year), Number(month), Number(day), [hours, minutes, seconds], zone);
}

function fromRfc822(text: string): number | undefined {
  const [, day, name = "", year = "", hours, minutes, seconds, zone] = rfc822.exec(text) ?? [];
  const month = months.indexOf(name.toLowerCase()) + 1;
  if (month === 0) return undefined;
  // RFC 5322, 4.3: two digits below 50 belong to this century.
  const century = year.length > 2 ? 0 : Number(year) < 50 ? 2000 : 1900;
  return instant(Number(year) + century, month, Number(day), [hours, minutes, seconds], zone);
}

type Clock = (string | undefined)[];

function instant(year: number, month: number, day: number, clock: Clock, zone = "Z"): number | undefined {
  const [hours = 0, minutes = 0, seconds = 0] = clock.map(part => Number(part ?? 0));
  const start = new Date(Date.UTC(year, month - 1, day));
  if (start.getUTCMonth() !== month - 1 || hours > 24 || minutes > 59) return undefined;
  return start.getTime() + ((hours * 60 + minutes) * 60 + Math.min(seconds, 59)) * 1000 - offsetMs(zone);
}

function offsetMs(zone: string): number {
  const [, sign, hours, minutes = "0"] = /([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  if (sign === undefined) return (zones[zone.toUpperCase()] ?? 0) * 3_600_000;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function fromUnix(text: string): number | undefined {
  if (/^\d{9,10}$/.test(text)) return Number(text) * 1000;
  return /^\d{13}$/.test(text) ? Number(text) : undefined;
}

function fromWords(text: string): number | undefined {
  const found = parseDate(text, true);
  const ms = found === undefined ? Number.NaN : Date.parse(found);
  return Number.isNaN(ms) ? undefined : ms;
}
