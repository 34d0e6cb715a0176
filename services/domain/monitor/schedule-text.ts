/*
 * A schedule in words as a cron expression of five fields. What the words leave open, such as the minute of `hourly`, comes
 * from a seed, so that many monitors are spread over the hour, the day or the week, and one of them keeps its time.
 */

const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** The expression; null for words that mean no schedule. `seed` is any whole number from 0. */
export function cronOfText(text: string, seed: number): string | null {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  return everyMinutes(words, seed) ?? everyHours(words, seed) ?? onDays(words, seed);
}

/** What may be said, for messages. */
export const examples =
  "`every 30 minutes`, `every 15 minutes starting at :07`, `hourly`, `every 2 hours`, `daily`, `daily at 9:00`, `weekdays at 9am`, `weekly`, `every monday at 5:30 pm`";

/** Only parts of an hour: others would not be evenly apart. */
function everyMinutes(words: string, seed: number): string | null {
  const found = /^every (\d{1,2} )?min(?:ute)?s?(?: starting at :?([0-5]?\d))?$/.exec(words);
  if (!found) return null;
  const step = Number(found[1] ?? 1);
  if (step === 0 || 60 % step !== 0) return null;
  if (step === 60) return `${minute(seed)} * * * *`;
  const from = found[2] === undefined ? seed % step : Number(found[2]) % step;
  return step === 1 ? "* * * * *" : `${from}-59/${step} * * * *`;
}

function everyHours(words: string, seed: number): string | null {
  const found = /^(?:hourly|every (\d{1,2} )?h(?:ou)?rs?)(?: (?:starting )?at :?([0-5]?\d))?$/.exec(words);
  if (!found) return null;
  const step = Number(found[1] ?? 1);
  if (step === 0 || 24 % step !== 0) return null;
  const at = found[2] === undefined ? minute(seed) : Number(found[2]);
  if (step === 1) return `${at} * * * *`;
  if (step === 24) return `${at} ${hour(seed)} * * *`;
  return `${at} ${hour(seed) % step}-23/${step} * * *`;
}

function onDays(words: string, seed: number): string | null {
  const found =
    /^(daily|every day|weekly|weekdays|every weekday|every [a-z]+|weekly on [a-z]+|[a-z]+s)(?: at (.+))?$/.exec(
      words,
    );
  if (!found) return null;
  const which = dayOf(found[1] ?? "", seed);
  const at = found[2] === undefined ? [minute(seed), hour(seed)] : timeOf(found[2]);
  return which === null || at === null ? null : `${at[0]} ${at[1]} * * ${which}`;
}

function dayOf(words: string, seed: number): string | null {
  if (words === "daily" || words === "every day") return "*";
  if (words === "weekdays" || words === "every weekday") return "1-5";
  if (words === "weekly") return String(Math.floor(seed / (60 * 24)) % 7);
  const name = words.replace(/^(every|weekly on) /, "").replace(/s$/, "");
  const day = days.findIndex(each => each === name || each.slice(0, 3) === name);
  return day < 0 ? null : String(day);
}

/** `9`, `9am`, `9:05`, `5:30 pm`, `17:30`, `noon`, `midnight`: minute and hour. */
function timeOf(words: string): [minute: number, hour: number] | null {
  if (words === "noon") return [0, 12];
  if (words === "midnight") return [0, 0];
  const found = /^(\d{1,2})(?::([0-5]\d))? ?(am|pm)?$/.exec(words);
  if (!found) return null;
  const [, hours, minutes = "0", half] = found;
  const said = Number(hours);
  if (half ? said < 1 || said > 12 : said > 23) return null;
  const ofDay = half ? (said % 12) + (half === "pm" ? 12 : 0) : said;
  return [Number(minutes), ofDay];
}

function minute(seed: number): number {
  return seed % 60;
}

function hour(seed: number): number {
  return Math.floor(seed / 60) % 24;
}
