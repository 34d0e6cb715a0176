const locales = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "pl",
  "ru",
  "uk",
  "tr",
  "zh",
  "ja",
  "ko",
  "ar",
  "ar-LB",
];

/** The placeholder of the number in a form. */
const placeholder = "\uffff";
const units = ["second", "minute", "hour", "day", "week", "month", "year"] as const;

/** Words in dates and times beside numbers; names of months and days come from the locale data. */
const words = new Set(
  [
    "at on um am pm a.m p.m uhr the of de del le à a las el la il alle ore em às op om o'clock h hrs",
    "utc gmt z cet cest est edt cst cdt mst mdt pst pdt bst ist jst msk мск г года в alt",
    "today yesterday now heute gestern hier aujourd'hui hoy ayer сегодня вчера 今天 昨天 今日 昨日 اليوم أمس",
    "上午 下午 午前 午後 오전 오후 년 월 일 ص م صباحا مساء الساعة في",
  ].flatMap(line => line.split(" ")),
);
const names = new Set<string>(locales.flatMap(calendarNames));
/** A version, as in "Update 2.1", is not a date, nor is a number or a year. */
const pattern = new RegExp(
  [
    String.raw`\p{Nd}{1,4}-\p{Nd}{1,2}-\p{Nd}{1,4}|\p{Nd}{1,2}/\p{Nd}{1,2}|\p{Nd}{4}/\p{Nd}{1,2}`,
    String.raw`\p{Nd}{1,2}\.\s?\p{Nd}{1,2}\.\s?(?:\p{Nd}{4}|\p{Nd}{2})(?!\p{Nd})|\p{Nd}{4}\.\s?\p{Nd}{1,2}\.\s?\p{Nd}{1,2}`,
    String.raw`\p{Nd}:\p{Nd}{2}|\p{Nd}\s?h\s?\p{Nd}{2}|\p{Nd}\s?[年月日时時년월일]`,
  ].join("|"),
  "u",
);
const relativeDay =
  /^(?:today|yesterday|now|heute|gestern|hoy|ayer|сегодня|вчера|今天|昨天|今日|昨日|اليوم|أمس)$/;

/** Whether a text is only a date, a time, or both. A number alone is not, nor is a year. */
export function isTimestamp(text: string): boolean {
  const plain = withoutRelativeTimes(text).toLowerCase().trim();
  if (plain === "") return text.trim() !== "";
  const parts = plain
    .replace(/(\p{Nd})t(?=\p{Nd})/gu, "$1 ")
    .replace(/[年月日时時分秒点년월일분초]|曜日|星期.|[(（].[)）]/gu, " ")
    .split(/[\s,،/:;()+–—-]+|\.(?=[\s,،]|\p{Nd}|$)/u)
    .filter(part => part !== "");
  if (!parts.every(part => isNumber(part) || words.has(part) || names.has(part))) return false;
  return pattern.test(plain) || parts.some(part => names.has(part) || relativeDay.test(part));
}

function isNumber(part: string): boolean {
  return (
    /^\p{Nd}{1,4}(?:st|nd|rd|th|er|e|º|ª|\.|h|z|am|pm)?$/u.test(part) ||
    /^\p{Nd}{1,9}z?$|^\p{Nd}{1,2}h\p{Nd}{2}$/u.test(part)
  );
}

/** The names of months and days, long and short, in lower case. */
function calendarNames(locale: string): string[] {
  const forms: Intl.DateTimeFormatOptions[] = [
    { month: "long" },
    { month: "short" },
    { month: "long", day: "numeric" },
    { month: "short", day: "numeric" },
    { weekday: "long" },
    { weekday: "short" },
  ];
  return forms.flatMap(form => {
    const format = new Intl.DateTimeFormat(locale, { ...form, timeZone: "UTC" });
    // All days of a week, and all months.
    const dates = Array.from({ length: 12 }, (_, n) => [
      Date.UTC(2026, 0, n + 1),
      Date.UTC(2026, n, 1),
    ]).flat();
    return dates.flatMap(date =>
      format
        .formatToParts(date)
        .filter(({ type }) => type === "month" || type === "weekday")
        .flatMap(({ value }) => value.toLowerCase().replace(/\.$/, "").split(" "))
        .filter(value => /\p{L}/u.test(value)),
    );
  });
}

const fuzzy =
  "about|over|almost|around|nearly|less than|more than|etwa|ca\\.|rund|über|environ|plus d['’]|unos|circa";
const few =
  "an?|one|a few|a couple of|several|few|einer|einem|wenigen|einigen|une?|quelques|una|unas|unos|um|uma";
const amount = `(?:(?:${fuzzy})\\s?){0,2}(?:\\p{Nd}[\\p{Nd}.,]{0,8}\\+?|(?:${few})(?=\\s))`;
const relativeTime = new RegExp(
  `(?:(?<![\\p{L}\\p{N}])|(?<=[于於]))(?:${[
    `(?:${amount}\\s?(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|[smhdwy]),?\\s(?:and\\s)?){1,3}ago`,
    "(?:a )?(?:few )?moments? ago|just now|gerade eben|soeben|à l['’]instant|ahora mismo|только что|刚刚|剛剛|たった今|방금",
    ...pastForms(),
  ].join("|")})(?:(?![\\p{L}\\p{N}])|(?=\\s?(?:更新|发布|發布)))`,
  "giu",
);

/** A text without times relative to now ("3 minutes ago"), which change by themselves. */
export function withoutRelativeTimes(text: string): string {
  return text.replace(relativeTime, "");
}

/** The forms of past times in each language, from its locale data: "vor {n} Minuten". Grouped by their beginning. */
function pastForms(): string[] {
  const endings = new Map<string, Set<string>>();
  for (const locale of locales)
    for (const form of pastFormsOf(locale)) {
      const [before = "", after] = form.split(placeholder, 2);
      const beginning = after === undefined ? "" : before + amount;
      endings.set(beginning, (endings.get(beginning) ?? new Set()).add(after ?? before));
    }
  return Array.from(endings, ([beginning, group]) => `${beginning}(?:${longestFirst(group).join("|")})`);
}

function pastFormsOf(locale: string): string[] {
  const styles = ["long", "short"] as const;
  return styles.flatMap(style => {
    const format = new Intl.RelativeTimeFormat(locale, { style });
    const parts = units.flatMap(unit => [1, 2, 3, 5, 11, 21].map(n => format.formatToParts(-n, unit)));
    return (
      parts
        .map(form =>
          form.map(({ type, value }) => (type === "literal" ? pieceOf(value) : placeholder)).join(""),
        )
        // The locale data have a future form among the past ones.
        .filter(form => !form.includes("خلال"))
    );
  });
}

function pieceOf(literal: string): string {
  return literal.replace(/\./g, "\\.?").replace(/\s+/g, "\\s?");
}

function longestFirst(texts: Set<string>): string[] {
  return [...texts].sort((a, b) => b.length - a.length);
}
