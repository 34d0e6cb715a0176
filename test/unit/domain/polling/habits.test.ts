import { nextInterval, pacedWait, usualGap } from "../../../../services/connectors/poll-interval.ts";
import {
  type Habits,
  learnHabits,
  longestWait,
  nextCheck,
} from "../../../../services/domain/polling/habits.ts";
import { nextPollWithin } from "../../../../services/domain/polling/poll-times.ts";
import { type Random, seeded } from "../../../faults/random.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;
/** A Monday. */
const start = Date.parse("2026-03-02T00:00:00Z");
const bounds = { shortestMs: minute, longestMs: hour };
const at = (time: number) => ({ after: time, until: time });

describe("learning", () => {
  test("the hour of an item's own time", () => {
    const { hours } = learnHabits(undefined, [at(start + 9 * hour)]);
    expect(Object.values(hours)).toEqual([1]);
  });

  test("a change between two checks is shared by the hours between them", () => {
    const { hours } = learnHabits(undefined, [{ after: start + 8.5 * hour, until: start + 10 * hour }]);
    expect(Object.values(hours)).toEqual([0.333, 0.667]);
  });

  test("a change that was found after half a day says nothing", () => {
    expect(learnHabits(undefined, [{ after: start, until: start + 13 * hour }]).hours).toEqual({});
  });

  test("what is long ago loses its weight, whether it is learned late or at its time", () => {
    const first = learnHabits(undefined, [at(start)]);
    const inTurn = learnHabits(first, [at(start + 5 * week + hour)]);
    const atOnce = learnHabits(undefined, [at(start + 5 * week + hour), at(start)]);
    expect(inTurn).toEqual(atOnce);
    expect(Math.min(...Object.values(inTurn.hours))).toBeCloseTo(0.5, 1);
    expect(Object.keys(learnHabits(first, [at(start + 60 * week + hour)]).hours)).toHaveLength(1);
  });

  test("it stays small, however much is learned", () => {
    const random = seeded(1);
    const many = Array.from({ length: 20_000 }, () => at(start + random() * 52 * week));
    expect(JSON.stringify(learnHabits(undefined, many)).length).toBeLessThan(3000);
  });
});

describe("the next check", () => {
  test("without habits it is the longest wait", () => expect(nextCheck(undefined, start, bounds)).toBe(hour));

  test("is never later than the longest wait, nor sooner than the shortest", () => {
    const random = seeded(2);
    for (let round = 0; round < 2000; round += 1) {
      const habits = learnHabits(undefined, [at(start + random() * week), at(start + random() * week)]);
      const wait = nextCheck(habits, start + random() * week, { ...bounds, shortestMs: 20 * minute });
      expect(wait).toBeGreaterThanOrEqual(20 * minute);
      expect(wait).toBeLessThanOrEqual(hour);
    }
  });

  test.each([
    ["a watch that aims", { isAimed: true, isFeed: false, newsAt: start - 900 * day }, hour],
    ["a feed with an item within 30 days", { isAimed: false, isFeed: true, newsAt: start - 29 * day }, hour],
    ["a feed without", { isAimed: false, isFeed: true, newsAt: start - 31 * day }, 3 * hour],
    ["a page", { isAimed: false, isFeed: false, newsAt: start }, 3 * hour],
    ["what is quiet for half a year", { isAimed: false, isFeed: false, newsAt: start - 183 * day }, day],
  ])("%s is asked in time, with the tracker's tenth", (_, known, longest) => {
    const wanted = longestWait(known, start);
    expect(nextPollWithin({ failures: 0, gone: false, wantedMs: wanted }, minute).toMs).toBeLessThanOrEqual(
      longest,
    );
    expect(wanted).toBeGreaterThan(0.9 * longest);
  });
});

/** A source that publishes at some times. */
interface Simulated {
  kind: "feed" | "page" | "aimed page";
  times(random: Random): number[];
}

const weeks = 17;
const days = weeks * 7;
const everyDay = Array.from({ length: days }, (_, n) => start + n * day);
const about = (time: number, spread: number, random: Random) => time + (random() - 0.5) * spread;
const sources: Record<string, Simulated> = {
  "news every 10 min, nothing 22 to 6": {
    kind: "feed",
    times: () =>
      everyDay.flatMap(at => Array.from({ length: 96 }, (_, n) => at + 6 * hour + n * 10 * minute)),
  },
  "every hour": {
    kind: "feed",
    times: () => everyDay.flatMap(at => Array.from({ length: 24 }, (_, n) => at + n * hour)),
  },
  "blog, once a day at 9:00": {
    kind: "feed",
    times: random => everyDay.map(at => about(at + 9 * hour, 10 * minute, random)),
  },
  "blog, once a day at 9:00, local": {
    kind: "feed",
    times: random => everyDay.map((at, n) => about(at + (n > 27 ? 8 : 9) * hour, 10 * minute, random)),
  },
  "blog, working days, 8 to 18": {
    kind: "feed",
    times: random => everyDay.filter((_, n) => n % 7 < 5).map(at => at + (8 + 10 * random()) * hour),
  },
  "blog, once a week": {
    kind: "feed",
    times: random => everyDay.filter((_, n) => n % 7 === 2).map(at => about(at + 16 * hour, hour, random)),
  },
  "podcast, every two weeks": {
    kind: "feed",
    times: random => everyDay.filter((_, n) => n % 14 === 4).map(at => about(at + 5 * hour, hour, random)),
  },
  "page that changes once a day": {
    kind: "page",
    times: random => everyDay.map(at => about(at + 14.5 * hour, hour, random)),
  },
  "page that changes once a week": {
    kind: "page",
    times: random => everyDay.filter((_, n) => n % 7 === 1).map(at => about(at + 10.5 * hour, hour, random)),
  },
  "page that changes at any time, every three days": {
    kind: "page",
    times: random => everyDay.filter((_, n) => n % 3 === 0).map(at => at + random() * 3 * day),
  },
  "out of stock, back once a month for 2 h": {
    kind: "aimed page",
    times: random => everyDay.filter((_, n) => n % 30 === 15).map(at => at + random() * day),
  },
};

/** Delays in minutes from publication to the check that finds it. */
interface Outcome {
  pollsADay: number;
  median: number;
  max: number;
}

/** Polls a source for four months, of which the last 60 days count. */
function simulate({ kind, times }: Simulated, seed: number): Outcome {
  const random = seeded(seed);
  const published = times(random).sort((a, b) => a - b);
  const isFeed = kind === "feed";
  const [from, end] = [start + (days - 60) * day, start + days * day];
  let intervalMs = minute;
  let habits: Habits | undefined;
  let newsAt = start;
  let before = start;
  let polls = 0;
  const delays: number[] = [];
  let known = 0;
  for (let now = start; now < end; ) {
    const old = known;
    while ((published[known] ?? end) <= now) known += 1;
    const found = published.slice(old, known);
    if (now >= from) {
      polls += 1;
      delays.push(...found.filter(time => time >= from).map(time => (now - time) / minute));
    }
    const shown = published.slice(Math.max(0, known - 10), known);
    const dates = shown.map(time => new Date(time).toISOString());
    const usualMs = isFeed ? usualGap(dates, now) : undefined;
    const gapMs = usualMs && Math.max(usualMs, now - (shown.at(-1) ?? now));
    const isFound = found.length > 0;
    intervalMs = nextInterval(intervalMs, {
      found: isFound,
      minMs: minute,
      ...(gapMs !== undefined && { gapMs }),
    });
    if (isFound) {
      newsAt = now;
      habits = learnHabits(habits, isFeed ? found.map(at) : [{ after: before, until: now }]);
    }
    const pace = { intervalMs, habits, newsAt, isFeed, isAimed: kind === "aimed page" };
    const tools = { now, random: random(), minIntervalMs: minute };
    const wantedMs = pacedWait(pace, tools);
    const { fromMs, toMs } = nextPollWithin({ failures: 0, gone: false, wantedMs }, minute);
    before = now;
    now += fromMs + random() * (toMs - fromMs);
  }
  delays.sort((a, b) => a - b);
  return {
    pollsADay: polls / 60,
    median: delays[Math.floor(delays.length / 2)] ?? Number.NaN,
    max: delays.at(-1) ?? Number.NaN,
  };
}

/** Polls a day and the median delay, both at most; before any habits were learned the daily blog had 5 and 295. */
const most: Record<string, [pollsADay: number, median: number]> = {
  "news every 10 min, nothing 22 to 6": [700, 3],
  "every hour": [130, 15],
  "blog, once a day at 9:00": [30, 30],
  "blog, once a day at 9:00, local": [30, 30],
  "blog, working days, 8 to 18": [30, 30],
  "blog, once a week": [30, 30],
  "podcast, every two weeks": [30, 30],
  "page that changes once a day": [14, 45],
  "page that changes once a week": [14, 45],
  "page that changes at any time, every three days": [14, 100],
  "out of stock, back once a month for 2 h": [30, 60],
};

describe("the last 60 days of four months of checks", () => {
  test.each(Object.entries(sources))("%s", (name, source) => {
    const [pollsADay, median] = most[name] ?? [0, 0];
    for (const seed of [1, 2]) {
      const found = simulate(source, seed);
      expect(found.pollsADay).toBeLessThanOrEqual(pollsADay);
      expect(found.median).toBeLessThanOrEqual(median);
      expect(found.max).toBeLessThanOrEqual(source.kind === "page" ? 3 * 60 : 60);
    }
  });
});
