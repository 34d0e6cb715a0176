import type { Sample } from "./innocent.ts";
import { figuresOf, type Hit, judgeAttacks } from "./judge-attacks.ts";

const live = (ms: number): Sample => ({ kind: "live", isRight: true, ms });
const scrape: Sample = { kind: "scrape", isRight: true, ms: 30 };
const hit: Hit = {
  attack: "patterns",
  outcome: "400 validation_failed",
  ms: 5,
  deaths: 0,
  samples: [live(900), scrape],
  memory: { ownMb: 1, allMb: 1 },
};

test("nothing is wrong with an attack that others do not notice", () => {
  expect(judgeAttacks([live(5)], [hit])).toEqual([]);
});

test.each<[string, Partial<Hit>, RegExp]>([
  ["a death", { deaths: 1 }, /patterns: the service died 1 times/],
  ["a silence", { samples: [live(5100)] }, /patterns: the API was silent for 5.1 s/],
  [
    "a failure of another key",
    { samples: [{ ...scrape, isRight: false }] },
    /1 requests of another key failed/,
  ],
  ["an inner error", { outcome: "500 internal_error" }, /its answer is 500 internal_error/],
  ["an answer that never came", { outcome: "no answer" }, /its answer is no answer/],
])("%s is found", (_, change, sentence) => {
  expect(judgeAttacks([live(5)], [{ ...hit, ...change }])).toEqual([expect.stringMatching(sentence)]);
});

test("a machine that is slow without an attack, too, may be silent for five times as long", () => {
  expect(judgeAttacks([live(1200)], [{ ...hit, samples: [live(5900)] }])).toEqual([]);
});

test("the figures of another key", () => {
  expect(figuresOf([live(2), live(8), scrape])).toBe("live p99 8 ms, at most 8 ms; scrapes p99 30 ms (1)");
});
