import { Spread } from "../../../../services/domain/polling/spread.ts";
import { type Random, seeded } from "../../../faults/random.ts";

const start = Date.parse("2026-01-01T00:00:00Z");
const second = 1000;

test("a moment is within its span", () => {
  const spread = new Spread(seeded(1));
  for (let n = 0; n < 10_000; n += 1) {
    const picked = spread.pick(start, start + 100, start - second);
    expect(picked).toBeGreaterThanOrEqual(start);
    expect(picked).toBeLessThanOrEqual(start + 100);
  }
  expect(spread.pick(start, start, start - second)).toBe(start);
});

test.each([1, 2, 3, 4, 5])("what fell together parts, and sooner than by chance (seed %i)", seed => {
  const random = seeded(seed);
  const together = new Array<number>(100).fill(start);
  const [even, byChance] = [new Spread(random), byChanceOf(random)].map(way =>
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
    expect(fullest(after(10, lopsided, new Spread(random), random), 250)).toBeLessThanOrEqual(30);
  },
);

test("moments of long ago are no crowd", () => {
  const picks: number[] = [];
  const spread = new Spread(() => picks.shift() ?? 0);
  const lap = 65_536 * 10;
  spread.pick(start, start, start - second);
  picks.push(0.5, 0.9);
  expect(spread.pick(start + lap - 50, start + lap + 50, start + lap - second)).toBe(start + lap);
});

type Way = Pick<Spread, "pick">;

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
