import {
  maxIntervalMs,
  nextPollWithin,
  PollSpreader,
} from "../../../../services/domain/polling/poll-times.ts";
import { type Random, seeded } from "../../../faults/random.ts";

const minute = 60_000;
const hour = 60 * minute;
const good = (wantedMs: number) => ({ failures: 0, gone: false, wantedMs });
const bad = (failures: number, wantedMs = 0) => ({ failures, gone: false, wantedMs });

test.each([
  ["as the source wants, or up to a tenth later", good(5 * minute), 5 * minute, 5.5 * minute],
  ["never below the shortest interval", good(1000), minute, 1.1 * minute],
  ["never above a day", good(90 * hour), maxIntervalMs, maxIntervalMs],
  ["a first failure: one to two intervals", bad(1), minute, 2 * minute],
  ["doubles", bad(4), 8 * minute, 16 * minute],
  ["never further apart than six hours", bad(40), 3 * hour, 6 * hour],
  ["without overflow", bad(5000), 3 * hour, 6 * hour],
  ["Retry-After is a lower bound", bad(1, hour), hour, hour],
  ["Retry-After is heeded for a day at most", bad(1, 1000 * hour), maxIntervalMs, maxIntervalMs],
  ["Retry-After does not shorten the wait", bad(9, 1000), 3 * hour, 6 * hour],
  ["gone: once a day", { failures: 1, gone: true, wantedMs: 0 }, maxIntervalMs, maxIntervalMs],
] as const)("%s", (_, outcome, fromMs, toMs) => {
  const { fromMs: from, toMs: to } = nextPollWithin(outcome, minute);
  expect(from).toBe(fromMs);
  expect(to).toBeCloseTo(toMs);
});

test("a short interval of a test installation is kept to", () => {
  expect(nextPollWithin(good(0), 1000).fromMs).toBe(1000);
  expect(nextPollWithin(bad(3), 1000).toMs).toBe(8000);
});

const start = Date.parse("2026-01-01T00:00:00Z");
const second = 1000;

test("a moment is within its span", () => {
  const spread = new PollSpreader(seeded(1));
  const picked = Array.from({ length: 10_000 }, () => spread.pick(start, start + 100, start - second));
  expect(Math.min(...picked)).toBeGreaterThanOrEqual(start);
  expect(Math.max(...picked)).toBeLessThanOrEqual(start + 100);
  expect(spread.pick(start, start, start - second)).toBe(start);
});

test.each([1, 2, 3, 4, 5])("what fell together parts, and sooner than by chance (seed %i)", seed => {
  const random = seeded(seed);
  const together = new Array<number>(100).fill(start);
  const [even, byChance] = [new PollSpreader(random), byChanceOf(random)].map(way =>
    [10, 40].map(rounds => fullest(after(rounds, together, way, random), 100)),
  );
  expect(even?.[0]).toBeLessThan(byChance?.[0] ?? 0);
  expect(even?.[1]).toBeLessThan(byChance?.[1] ?? 0);
  expect(even?.[1]).toBeLessThanOrEqual(20);
});

test.each([1, 2, 3, 4, 5])(
  "a part of a round that has too many has as many as others soon (seed %i)",
  seed => {
    const random = seeded(seed);
    const lopsided = Array.from({ length: 100 }, (_, n) => start + second * random() * (n < 60 ? 0.5 : 1));
    expect(fullest(lopsided, 250)).toBeGreaterThan(34);
    expect(fullest(after(10, lopsided, new PollSpreader(random), random), 250)).toBeLessThanOrEqual(30);
  },
);

test("moments of long ago are no crowd", () => {
  const picks: number[] = [];
  const spread = new PollSpreader(() => picks.shift() ?? 0);
  const lap = 65_536 * 10;
  spread.pick(start, start, start - second);
  picks.push(0.5, 0.9);
  expect(spread.pick(start + lap - 50, start + lap + 50, start + lap - second)).toBe(start + lap);
});

type Way = Pick<PollSpreader, "pick">;

/** The moments of those who come again after a second and at most a tenth more, after some rounds of work that takes its time. */
function after(rounds: number, moments: number[], way: Way, random: Random): number[] {
  const next = [...moments];
  const until = start + rounds * second * 1.05;
  for (let at = 0; at < until; ) {
    const first = next.indexOf(Math.min(...next));
    at = (next[first] ?? 0) + Math.round(5 + 15 * random());
    next[first] = way.pick(at + second, at + 1.1 * second, at);
  }
  return next;
}

/** The most that fall into one part of a second. */
function fullest(moments: number[], partMs: number): number {
  const parts = new Map<number, number>();
  for (const at of moments) {
    const part = Math.floor((at % second) / partMs);
    parts.set(part, (parts.get(part) ?? 0) + 1);
  }
  return Math.max(...parts.values());
}

function byChanceOf(random: Random): Way {
  return { pick: (from, to) => from + (to - from) * random() };
}
