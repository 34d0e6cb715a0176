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
    /(?<!\d)(?<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:de\s+|of\s+)?(?<name>\p{L}{3,})\.?,?\s+(?:de\s+)?(?<year>\d{4})/u;
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

function timeOf(text: string): string {
  const groups =
    /(?:^|[T\s,])(?<hours>\d{1,2}):(?<minutes>\d{2})(?::(?<seconds>\d{2})(?:\.\d+)?)?\s*(?<half>[ap]\.?m)?\s*(?<offset>Z|[+-]\d{2}:?\d{2})?/i.exec(
      text,
    )?.groups;
  if (!groups || Number(groups.hours) > 23 || Number(groups.minutes) > 59) return "00:00:00Z";
  const { hours = "0", minutes, seconds = "00", half, offset = "Z" } = groups;
  const late = half?.toLowerCase().startsWith("p") ? 12 : 0;
  const hour = half ? (Number(hours) % 12) + late : Number(hours);
  return `${pad(hour)}:${minutes}:${seconds}${offset.toUpperCase().replace(/^(...)(\d\d)$/, "$1:$2")}`;
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, "0");
}
