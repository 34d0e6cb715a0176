/**
 * The hours of the week at which a source has news, and the next check by them. Hours are counted in UTC, and each counts
 * for its neighbours too, so that a change of the clock moves no news out of the hours that are known.
 */

const hourMs = 3_600_000;
const dayHours = 24;
const weekHours = 7 * dayHours;
const dayMs = dayHours * hourMs;

/** How often a source had news in each hour of the week. JSON, at most some 2 KB. */
export interface Habits {
  /** The week (since the epoch) of the latest news: what is older has lost weight since. */
  week: number;
  /** Weights by the hour of the week; hours without news are left out. */
  hours: Record<string, number>;
}

/** A time (ms) between which news appeared: an item's own time, or the checks before and after a change. */
export interface NewsTime {
  after: number;
  until: number;
}

/** What is left of a weight after a week: half of it after five. */
const weeklyDecay = 0.87;
/** A weight below this is forgotten. */
const leastWeight = 0.02;
/** News between two checks that are further apart say nothing of an hour. */
const widestMs = 12 * hourMs;

/** The habits with further news. News of many weeks may come at once, as the items of a first document do. */
export function learnHabits(
  { week, hours }: Habits = { week: 0, hours: {} },
  news: readonly NewsTime[],
): Habits {
  const known = news.filter(({ after, until }) => until - after <= widestMs && after > 0 && until >= after);
  const latest = Math.max(week, ...known.map(({ until }) => weekOf(until)));
  const weights = new Map(
    Object.entries(hours).map(([hour, weight]) => [hour, weight * weeklyDecay ** (latest - week)]),
  );
  for (const time of known) {
    const worth = weeklyDecay ** (latest - weekOf(time.until));
    for (const [hour, share] of hoursOf(time))
      weights.set(String(hour), (weights.get(String(hour)) ?? 0) + share * worth);
  }
  const kept = [...weights].filter(([, weight]) => weight >= leastWeight);
  return {
    week: latest,
    hours: Object.fromEntries(kept.map(([hour, weight]) => [hour, Math.round(weight * 1000) / 1000])),
  };
}

function weekOf(time: number): number {
  return Math.floor(time / (weekHours * hourMs));
}

/** The hours of the week that a time touches, each with its share of it. */
function hoursOf({ after, until }: NewsTime): [number, number][] {
  const spanMs = until - after;
  if (spanMs === 0) return [[hourOf(until), 1]];
  const found: [number, number][] = [];
  for (let at = after; at < until; ) {
    const end = Math.min(until, (Math.floor(at / hourMs) + 1) * hourMs);
    found.push([hourOf(at), (end - at) / spanMs]);
    at = end;
  }
  return found;
}

function hourOf(time: number): number {
  return Math.floor(time / hourMs) % weekHours;
}

/** What bounds the wait for the next check, in milliseconds. */
export interface Bounds {
  shortestMs: number;
  longestMs: number;
}

/** Checks a day beside those that the longest wait makes, spent in the hours that have news. */
const crowdedADay = 4;

/**
 * Milliseconds until the next check, at most `wantedMs`. Checks are as dense as the longest wait asks, and denser where news
 * is likely: by the root of its likelihood, which makes the mean delay the shortest for a number of checks.
 */
export function nextCheck(
  habits: Habits | undefined,
  now: number,
  { shortestMs, longestMs, wantedMs = longestMs }: Bounds & { wantedMs?: number },
): number {
  const steady = 1 / longestMs;
  const soonestMs = 1 / (steady + crowdedADay / hourMs);
  if (wantedMs <= soonestMs) return Math.max(shortestMs, wantedMs);
  const crowd = crowdByHour(habits);
  let due = 0;
  for (let at = now; ; ) {
    const density = steady + (crowd[hourOf(at)] ?? 0) / hourMs;
    const end = (Math.floor(at / hourMs) + 1) * hourMs;
    const withinHour = due + (end - at) * density;
    if (withinHour >= 1 || end - now >= wantedMs) {
      const waitMs = Math.round(at - now + (1 - due) / density);
      return Math.max(shortestMs, Math.min(waitMs, wantedMs));
    }
    due = withinHour;
    at = end;
  }
}

/** Checks in each hour of the week beside the steady ones; the busiest day of the week has all that a day may have. */
function crowdByHour(habits: Habits | undefined): ArrayLike<number> {
  if (habits === undefined || Object.keys(habits.hours).length === 0) return [];
  const likely = likelihood(habits).map(Math.sqrt);
  const busiest = Math.max(...sums(likely, 7, dayOf));
  return likely.map(weight => (weight / busiest) * crowdedADay);
}

/**
 * How likely news is in each hour of the week. One half is what was seen in that hour; the other takes the hours and the
 * days apart, so that a blog which posts at nine every day is known after a few days and not only after a few weeks.
 */
function likelihood({ hours }: Habits): Float64Array {
  const seen = new Float64Array(weekHours);
  for (const [hour, weight] of Object.entries(hours)) seen[Number(hour)] = weight;
  const byHour = sums(seen, dayHours, at => at % dayHours);
  const byDay = sums(seen, 7, dayOf).map(weight => weight + doubt);
  const total = byDay.reduce((sum, each) => sum + each);
  const mixed = seen.map(
    (weight, at) => weight + ((byHour[at % dayHours] ?? 0) * (byDay[dayOf(at)] ?? 0)) / total,
  );
  const near = (at: number) => mixed[(at + weekHours) % weekHours] ?? 0;
  return mixed.map((weight, at) => weight / 2 + (near(at - 1) + near(at + 1)) / 4);
}

/** News on each day of the week that is taken for granted before any was seen. */
const doubt = 0.5;

function dayOf(hour: number): number {
  return Math.floor(hour / dayHours);
}

function sums(weights: Float64Array, groups: number, groupOf: (at: number) => number): Float64Array {
  const found = new Float64Array(groups);
  for (const [at, weight] of weights.entries()) found[groupOf(at)] = (found[groupOf(at)] ?? 0) + weight;
  return found;
}

/** What decides how long a source may stay unasked. */
export interface Liveliness {
  /** A watch that aims at a part of the page, at numbers or at fields: somebody waits for it. */
  isAimed: boolean;
  /** A feed that had an item within 30 days is a lively one; a page is not, by that alone. */
  isFeed: boolean;
  /** When it last had news, or when it began to be tracked; milliseconds since the epoch. */
  newsAt: number;
}

const livelyMs = 30 * dayMs;
const quietMs = 182 * dayMs;

/**
 * The longest wait between two checks, in milliseconds. The tracker adds up to a tenth to a wait, to spread the load, which
 * is left out here.
 */
export function longestWait({ isAimed, isFeed, newsAt }: Liveliness, now: number): number {
  const silentMs = now - newsAt;
  const isLively = isAimed || (isFeed && silentMs <= livelyMs);
  const wanted = isLively ? hourMs : silentMs <= quietMs ? 3 * hourMs : dayMs;
  return Math.floor(wanted / 1.1);
}
