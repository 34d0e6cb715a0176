import type { ItemNews } from "../../domain/feed/compare-feed.ts";
import type { Feed } from "../../domain/feed/feed.ts";
import { type Habits, learnHabits, longestWait, type NewsTime } from "../../domain/polling/habits.ts";
import type { View } from "../../domain/watch/view.ts";
import type { ConnectorTools } from "../connector.ts";
import {
  afterSkippedTimes,
  dayMs,
  feedWait,
  intervalWithHub,
  jittered,
  nextInterval,
  pacedWait,
  sitePauseMs,
  usualGap,
} from "../poll-interval.ts";

/** What is known of a feed's pace. Times are milliseconds since the epoch. */
export interface FeedPace {
  /** It grows while nothing new appears, and shrinks when something does. */
  intervalMs: number;
  /** Median time between posts, by their dates; without dates by what polls found. */
  gapMs?: number;
  /** In which half of the items that the feed shows are replaced by new ones. */
  windowMs?: number;
  checkedAt: number;
  /** When it last had news. */
  newsAt: number;
  habits?: Habits;
}

/** What a document says of the pace. */
interface ReadFeed {
  dates: string[];
  /** Items in it. */
  shown: number;
  news: ItemNews[];
  /** There were more than it shows. */
  isGap: boolean;
}

type Clock = Pick<ConnectorTools, "now" | "minIntervalMs">;

/** The pace after a poll; `read` is absent where the document has not changed. */
export function paceAfter(
  former: Partial<FeedPace>,
  { now, minIntervalMs }: Clock,
  view: View | undefined,
  read?: ReadFeed,
): FeedPace {
  const at = now();
  const times = read && pastTimes(read.dates, at);
  const isNew = read?.news.some(({ kind }) => kind === "created") ?? false;
  const latest = Math.max(former.newsAt ?? 0, ...(times?.slice(0, 1) ?? []), isNew ? at : 0);
  const newsAt = latest === 0 ? at : latest;
  const gapMs = read ? gapOf(former, read, at) : former.gapMs;
  const windowMs = read ? gapMs && Math.round((read.shown * gapMs) / 2) : former.windowMs;
  const habits = read && times ? learn(former, read, times, at) : former.habits;
  const wantedMs = nextInterval(former.intervalMs ?? minIntervalMs, {
    found: (read?.news.length ?? 0) > 0,
    minMs: minIntervalMs,
    // A silence that is longer than usual slows the polls down, as a longer gap would.
    ...(gapMs !== undefined && { gapMs: Math.max(gapMs, at - newsAt) }),
  });
  const longestMs = longestWait({ isAimed: isAimed(view), isFeed: true, newsAt }, at);
  return {
    // A longer one would take many posts to shrink.
    intervalMs: Math.max(minIntervalMs, Math.min(wantedMs, longestMs)),
    checkedAt: at,
    newsAt,
    ...(gapMs !== undefined && { gapMs }),
    ...(windowMs !== undefined && { windowMs }),
    ...(habits && { habits }),
  };
}

/** Somebody waits for certain items. */
function isAimed(view: View | undefined): boolean {
  return view?.when !== undefined;
}

/** Newest first. */
function pastTimes(dates: string[], now: number): number[] {
  return dates
    .map(date => Date.parse(date))
    .filter(time => time <= now)
    .sort((a, b) => b - a);
}

/** The time between posts: by their dates, and by what polls found where these have none or lie. */
function gapOf(former: Partial<FeedPace>, read: ReadFeed, now: number): number | undefined {
  const dated = usualGap(read.dates, now);
  if (dated === undefined) return observedGap(former, read, now);
  if (!hasLyingDates(former, read)) return dated;
  return Math.min(dated, observedGap(former, read, now) ?? dated);
}

/** Most of what has come since the last poll says that it is days older. */
function hasLyingDates({ checkedAt = 0 }: Partial<FeedPace>, { news }: ReadFeed): boolean {
  const created = news.filter(({ kind }) => kind === "created");
  const lying = created.filter(({ item }) => Date.parse(item.date_published ?? "") < checkedAt - dayMs);
  return lying.length * 2 > created.length;
}

/** The time between posts without dates, by what this poll and those before it found. */
function observedGap(
  { gapMs, checkedAt }: Partial<FeedPace>,
  { news, isGap }: ReadFeed,
  now: number,
): number | undefined {
  const count = news.filter(({ kind }) => kind === "created").length;
  if (count === 0 || checkedAt === undefined) return gapMs;
  const seenMs = Math.round((now - checkedAt) / (isGap ? 2 * count : count));
  return gapMs === undefined ? seenMs : Math.round((gapMs + seenMs) / 2);
}

/** Dates that teach the hours of a feed; more would change little. */
const mostTaught = 200;

/** The hours of the items by their own dates; by the polls around them where these have no time of day. */
function learn(
  former: Partial<FeedPace>,
  { news }: ReadFeed,
  times: number[],
  now: number,
): Habits | undefined {
  const isTimed = times.filter(time => time % dayMs === 0).length * 2 < times.length;
  if (former.habits === undefined && isTimed)
    return learnHabits(undefined, times.slice(0, mostTaught).map(instant));
  const created = news.filter(({ kind }) => kind === "created");
  if (created.length === 0) return former.habits;
  const since = former.checkedAt ?? 0;
  return learnHabits(
    former.habits,
    created.map(({ item }) => {
      const time = Date.parse(item.date_published ?? "");
      return isTimed && time <= now && time > since - dayMs ? instant(time) : { after: since, until: now };
    }),
  );
}

function instant(time: number): NewsTime {
  return { after: time, until: time };
}

/** What a feed and its server ask for. */
interface Asked {
  hints: Pick<Feed, "ttlMinutes" | "skipHours" | "skipDays">;
  headers: Record<string, string>;
  /** The lease at a hub, which tells of news. */
  lease?: { renewInMs: number } | undefined;
}

/**
 * Milliseconds until the next poll. Nobody's wish but a pause (`Retry-After`) makes it longer than the feed needs to replace
 * half of the items that it shows: none is lost.
 */
export function nextFeedPoll(
  pace: FeedPace,
  { hints, headers, lease }: Asked,
  view: View | undefined,
  { now, random, minIntervalMs }: Clock & Pick<ConnectorTools, "random">,
): number {
  const at = now();
  const { intervalMs, habits, newsAt, windowMs } = pace;
  const liveliness = { isAimed: isAimed(view), isFeed: true, newsAt };
  const longestMs = longestWait(liveliness, at);
  const pacedMs = lease
    ? jittered(intervalWithHub(intervalMs, lease), random())
    : pacedWait({ ...liveliness, intervalMs, habits }, { now: at, random: random(), minIntervalMs });
  // Where nothing is known of the time between posts, a wish is all that there is.
  const limits = windowMs === undefined ? {} : { longestMs, windowMs };
  const askedMs = jittered(feedWait(hints, headers, at, limits), random());
  const safeMs = lease ? Number.POSITIVE_INFINITY : safeWait(pace, at);
  const waitMs = Math.max(minIntervalMs, Math.min(Math.max(pacedMs, askedMs), safeMs));
  const skippedMs = afterSkippedTimes(at + waitMs, hints) - at;
  const pauseMs = sitePauseMs(headers["retry-after"], at);
  return Math.max(Math.min(skippedMs, Math.max(waitMs, windowMs ?? skippedMs)), pauseMs);
}

/** After a silence of days, a burst of items is less likely than before. */
const silences = 100;

/** The longest wait in which no item is lost, by what the feed showed so far. */
function safeWait({ windowMs, newsAt }: FeedPace, now: number): number {
  return windowMs === undefined ? Number.POSITIVE_INFINITY : Math.max(windowMs, (now - newsAt) / silences);
}
