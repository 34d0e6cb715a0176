import { parseDate, zones as plainZones } from "../../../reader/recipe/dates.ts";

const months = "january february march april may june july august september october november december".split(
  " ",
);
/**
 * Names of zones with several meanings count as in RFC 822, 5.1, else as the one that most feeds mean: the Atlantic, not
 * Arabia (AST), Britain, not Bangladesh (BST), India, not Ireland or Israel (IST). Unknown names are UTC (RFC 5322, 4.3).
 */
const zones: Record<string, string> = {
  ...plainZones,
  ...{ CST: "-06:00", AST: "-04:00", BST: "+01:00", IST: "+05:30", WIB: "+07:00", PHT: "+08:00" },
  ...{ AT: "-04:00", ET: "-05:00", CT: "-06:00", MT: "-07:00", PT: "-08:00" },
};

const rfc822 =
  /^(?:\p{L}+\.?,?\s+)?(\d{1,2})[\s-]+(\p{L}{3,})\.?,?[\s-]+(\d{4}|\d{2})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*([+-]\d{2}:?\d{2}|[A-Z]{1,5}(?:[+-]\d{2}:?\d{2})?)?/iu;
// As C's asctime prints it, with or without a zone: Tue Jun  3 10:00:00 UTC 2025.
const asctime = /^[a-z]{3}\s+([a-z]{3})\s+(\d{1,2})\s+([\d:]{5,8})\s+(?:([a-z]{3,4}|[+-]\d{4})\s+)?(\d{4})$/i;
const iso =
  /^(\d{4})-?(\d{2})(?:-?(\d{2}))?(?:[T\s]+(\d{2}|\d(?=:)):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?)?\s*((?![ap]m)[a-z]{1,5}|[+-]\d{2}:?(?:\d{2})?)?$/i;

// Dates are not longer; the search for one takes the square of the length.
const maxLength = 100;

/**
 * The instant of a feed's date as ISO 8601 in UTC; undefined for any other text. Accepts RFC 822 and ISO 8601 as feeds
 * really write them (wrong weekdays, two-digit years, named zones, no zone: UTC), seconds since 1970, and dates
 * in words of many languages.
 */
export function feedDate(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? "";
  if (trimmed.length > maxLength) return undefined;
  const given = trimmed.replace(asctime, "$2 $1 $5 $3 $4");
  const plain = fromIso(given) ?? fromRfc822(given) ?? fromUnix(given);
  const ms = plain ?? fromTranslated(given) ?? fromWords(given);
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
  const month = months.findIndex(each => each.startsWith(name.toLowerCase())) + 1;
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
  if (sign === undefined) {
    const named = zones[zone.toUpperCase()] ?? "Z";
    return named === "Z" ? 0 : offsetMs(named);
  }
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function fromUnix(text: string): number | undefined {
  if (/^\d{9,10}$/.test(text)) return Number(text) * 1000;
  return /^\d{13}$/.test(text) ? Number(text) : undefined;
}

/** Dates of other languages, as RFC 822, ISO 8601 or in words. */
function fromTranslated(text: string): number | undefined {
  const inDigits = fromEastAsia(text);
  if (inDigits !== text) return fromIso(inDigits) ?? fromWords(inDigits);
  const english = text.replace(/\p{L}[\p{L}\p{M}]{2,}/gu, word => monthNames().get(folded(word)) ?? word);
  if (english === text) return undefined;
  const yearFirst = /^(\d{4})[.\s-]+([a-z]{3})\w*[.\s-]+(\d{1,2})(?!\d)\.?/.exec(english);
  if (!yearFirst) return fromRfc822(english) ?? fromWords(english);
  const [found, year, month, day] = yearFirst;
  const number = months.findIndex(each => each.startsWith(month ?? "")) + 1;
  return fromIso(`${year}-${two(number)}-${two(day ?? 1)}${english.slice(found.length)}`);
}

/** What is written in one country or two of one clock, which East Asian feeds without a zone mean. */
const eastAsia: [RegExp, string][] = [
  [/[년월]|오[전후]/, "+09:00"],
  [/午[前後]|曜|[（(][日月火水木金土][)）]/, "+09:00"],
  [/[上下]午/, "+08:00"],
];

/** Year, month, day and time of Chinese, Japanese and Korean in digits. */
function fromEastAsia(text: string): string {
  if (!/[\u3000-\uffef]/.test(text)) return text;
  const digits = text
    .normalize("NFKC")
    .replace(/(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]/, "$1-$2-$3")
    .replace(/(\d{1,2})\s*[時时시点]/, "$1:")
    .replace(/:\s*(?!\d)/, ":00")
    .replace(
      /:\s*(\d{1,2})\s*[分분](?:\s*(\d{1,2})\s*[秒초])?/,
      (_, minute, second = 0) => `:${two(minute)}:${two(second)}`,
    )
    .replace(
      /(?:(午前|上午|오전)|午後|下午|오후)\s*([\d:]+)/,
      (_, am, time) => `${time} ${am ? "am" : "pm"}`,
    );
  const isZoned = /[+-]\d{2}:?\d{2}\s*$|[a-z]{3}\s*$/i.test(digits);
  const zone = isZoned || !digits.includes(":") ? undefined : eastAsia.find(([mark]) => mark.test(text))?.[1];
  return `${digits}${zone ?? ""}`;
}

function two(value: string | number): string {
  return String(value).padStart(2, "0");
}

// Languages whose names of months the reader of pages does not know. In no two of them is a name that of two months.
const languages = "pl tr cs sk hu ro fi el uk sv da nb lt lv et ca id sl".split(" ");
let foreign: Map<string, string> | undefined;

/** English names by those of other languages. Most feeds need none, and to make them takes a while. */
function monthNames(): Map<string, string> {
  foreign ??= new Map(
    languages.flatMap(language =>
      (["long", "short"] as const).flatMap(month =>
        [undefined, "numeric" as const].flatMap(day => {
          const format = new Intl.DateTimeFormat(language, { month, day, timeZone: "UTC" });
          return months.map((name, at) => [nameIn(format, at), name.slice(0, 3)] as const);
        }),
      ),
    ),
  );
  return foreign;
}

function nameIn(format: Intl.DateTimeFormat, month: number): string {
  const parts = format.formatToParts(Date.UTC(2024, month, 5));
  return folded(parts.find(({ type }) => type === "month")?.value ?? "");
}

/** In lower case, without accents, dotted and dotless i alike. */
function folded(word: string): string {
  return word
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\p{M}.]/gu, "")
    .replaceAll("ı", "i");
}

function fromWords(text: string): number | undefined {
  const found = parseDate(text, true);
  const ms = found === undefined ? Number.NaN : Date.parse(found);
  return Number.isNaN(ms) ? undefined : ms;
}
