const months = [
  ["jan", "jän", "ene", "gen", "янв"],
  ["feb", "fév", "fev", "фев"],
  ["mar", "mär", "mrz", "maa", "мар"],
  ["apr", "avr", "abr", "апр"],
  ["may", "mai", "maj", "mag", "mei", "мая"],
  ["jun", "juin", "giu", "июн"],
  ["jul", "juil", "lug", "июл"],
  ["aug", "aoû", "ago", "авг"],
  ["sep", "set", "сен"],
  ["oct", "okt", "ott", "out", "окт"],
  ["nov", "ноя"],
  ["dec", "dez", "déc", "dic", "дек"],
];

interface Day {
  year: number;
  month: number;
  day: number;
}

/**
 * The date of a text as ISO 8601 (RFC 3339): `YYYY-MM-DD`, or with `withTime` a full date-time, in UTC when the text
 * names no offset. Reads ISO dates, `12 March 2024`, `March 12, 2024`, `12.03.2024` and `12/03/2024` (month first only
 * where the language is American English or none is known). Relative dates are not read: that takes a clock.
 */
export function parseDate(text: string, withTime: boolean, language = ""): string | undefined {
  const found = isoDay(text) ?? namedDay(text) ?? numericDay(text, language);
  if (!found || !exists(found)) return undefined;
  const date = `${pad(found.year, 4)}-${pad(found.month)}-${pad(found.day)}`;
  return withTime ? `${date}T${timeOf(text)}` : date;
}

function isoDay(text: string): Day | undefined {
  return toDay(/(?<!\d)(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?!\d)/.exec(text)?.groups);
}

function namedDay(text: string): Day | undefined {
  const dayFirst =
    /(?<!\d)(?<day>\d{1,2})(?:st|nd|rd|th|er|º|\.)?\s+(?:de\s+|of\s+)?(?<name>\p{L}{3,})\.?,?\s+(?:de\s+)?(?<year>\d{4})/u;
  const monthFirst = /(?<name>\p{L}{3,})\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})/u;
  const groups = (dayFirst.exec(text) ?? monthFirst.exec(text))?.groups;
  const name = groups?.name?.toLowerCase() ?? "";
  const month = months.findIndex(starts => starts.some(start => name.startsWith(start))) + 1;
  return month === 0 ? undefined : toDay({ ...groups, month: String(month) });
}

function numericDay(text: string, language: string): Day | undefined {
  const groups = /(?<!\d)(?<first>\d{1,2})(?<mark>[./-])(?<second>\d{1,2})\k<mark>(?<year>\d{4})(?!\d)/.exec(
    text,
  )?.groups;
  if (!groups) return undefined;
  const { first = "", second = "", year = "", mark } = groups;
  const american = mark === "/" && /^(en-us|en|)$/i.test(language);
  const monthFirst = Number(second) > 12 || (american && Number(first) <= 12);
  return toDay(monthFirst ? { year, month: first, day: second } : { year, month: second, day: first });
}

function toDay(groups: Record<string, string | undefined> | undefined): Day | undefined {
  if (!groups) return undefined;
  return { year: Number(groups.year), month: Number(groups.month), day: Number(groups.day) };
}

function exists({ year, month, day }: Day): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const clock = (name: string) =>
  `(?<${name}Hour>\\d{1,2})(?:[:.](?<${name}Minute>[0-5]\\d)(?::(?<${name}Second>[0-5]\\d)(?:\\.\\d+)?)?(?!\\.?\\d)|\\s?h\\s?(?<${name}Rest>[0-5]\\d)?(?!\\p{L})|(?=\\s?[ap]\\.?m)|(?=\\s?Uhr)|(?=\\s?(?:-|–|—|to)\\s?\\d{1,2}(?:[:.][0-5]\\d)?\\s?[ap]\\.?m))\\s?(?<${name}Half>[ap](?=\\.?m))?(?:\\.?m\\.?)?`;
const times = new RegExp(
  `(?:^|[T\\s,(@])${clock("start")}(?:\\s?(?:Uhr)?\\s?(?:-|–|—|to|bis|until|à|a|al|alle|tot)\\s?${clock("end")})?\\s*(?:Uhr|uur|h)?\\s*\\(?(?<zone>Z|(?:UTC|GMT)?\\s?[+-]\\d{1,2}(?::?\\d{2})?|[A-Z]{2,4}(?![\\p{L}\\d]))?`,
  "iu",
);

/** Names of zones that mean one offset wherever they are written (RFC 5322, 4.3, and those of other continents). */
export const zones: Record<string, string> = {
  ...{ Z: "Z", UT: "Z", UTC: "Z", GMT: "Z", WET: "Z" },
  ...{
    EST: "-05:00",
    EDT: "-04:00",
    CDT: "-05:00",
    MST: "-07:00",
    MDT: "-06:00",
    PST: "-08:00",
    PDT: "-07:00",
  },
  ...{ CET: "+01:00", MEZ: "+01:00", MET: "+01:00", WEST: "+01:00", CEST: "+02:00", MESZ: "+02:00" },
  ...{ MEST: "+02:00", EET: "+02:00", EEST: "+03:00", MSK: "+03:00", TRT: "+03:00", IDT: "+03:00" },
  ...{ SAST: "+02:00", EAT: "+03:00", PKT: "+05:00", ICT: "+07:00", HKT: "+08:00", SGT: "+08:00" },
  ...{ JST: "+09:00", KST: "+09:00", AWST: "+08:00", ACST: "+09:30", ACDT: "+10:30" },
  ...{ AEST: "+10:00", AEDT: "+11:00", NZST: "+12:00", NZDT: "+13:00", HST: "-10:00", AKST: "-09:00" },
  ...{ AKDT: "-08:00", ADT: "-03:00", NST: "-03:30", NDT: "-02:30", BRT: "-03:00", ART: "-03:00" },
};

const machine =
  /\d{4}-\d{2}-\d{2}[T\s](?<startHour>\d{2}):(?<startMinute>\d{2})(?::(?<startSecond>\d{2})(?:\.\d+)?)?\s?(?<zone>Z|[+-]\d{2}:?\d{2})/i;

/** The first time of a text; of a span of times, `7 to 9 PM CET`, its start. */
function timeOf(text: string): string {
  const {
    startHour,
    startMinute,
    startRest,
    startSecond = "00",
    startHalf,
    ...rest
  } = (machine.exec(text) ?? times.exec(text))?.groups ?? {};
  const hours = Number(startHour);
  if (startHour === undefined || hours > 23) return "00:00:00Z";
  const half = (startHalf ?? halfOfSpan(hours, rest))?.toLowerCase();
  const hour = half === undefined ? hours : (hours % 12) + (half === "p" ? 12 : 0);
  return `${pad(hour)}:${startMinute ?? startRest ?? "00"}:${startSecond}${offsetOf(rest.zone ?? "")}`;
}

/** `7 - 9 PM` begins in the evening, `11 - 1 PM` before noon. */
function halfOfSpan(
  start: number,
  { endHour, endHalf }: Record<string, string | undefined>,
): string | undefined {
  if (endHalf === undefined || start > 12) return undefined;
  const isOver = start % 12 > Number(endHour) % 12;
  return isOver ? (endHalf.toLowerCase() === "p" ? "a" : "p") : endHalf;
}

function offsetOf(zone: string): string {
  const [, sign, hours = "", minutes = "00"] = /([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(zone) ?? [];
  return sign === undefined ? (zones[zone.toUpperCase()] ?? "Z") : `${sign}${pad(Number(hours))}:${minutes}`;
}

/** Whether a text that has a date also has a time of day. */
export function hasTime(text: string): boolean {
  return times.test(text);
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, "0");
}
