import { Sampler } from "../../../../services/api/streams/sampler.ts";
import { seeded } from "../../../faults/random.ts";

function second(sampler: Sampler, events: number): number[] {
  return Array.from({ length: events }, (_, at) => at).filter(() => sampler.choose());
}

test("few events are all sent, and nothing is said of them", () => {
  const sampler = new Sampler(50);
  expect(second(sampler, 50)).toHaveLength(50);
  expect(sampler.next()).toBeNull();
  expect(second(sampler, 1)).toHaveLength(1);
  expect(sampler.next()).toBeNull();
  expect(sampler.next()).toBeNull();
});

test("of many, at most the bound is sent, and all are counted", () => {
  const sampler = new Sampler(50);
  expect(second(sampler, 731)).toHaveLength(50);
  expect(sampler.next()).toEqual({ sent: 50, of: 731 });
});

test("when many continue, the sample is spread over the second", () => {
  const sampler = new Sampler(50, seeded(7));
  second(sampler, 1000);
  sampler.next();
  const sent = second(sampler, 1000);
  const half = sent.filter(at => at < 500).length;
  expect(sampler.next()).toEqual({ sent: sent.length, of: 1000 });
  expect(sent.length).toBeGreaterThan(25);
  expect(half / sent.length).toBeGreaterThan(0.25);
  expect(half / sent.length).toBeLessThan(0.75);
});

test("after a second with few events all are sent again", () => {
  const sampler = new Sampler(50, seeded(7));
  second(sampler, 1000);
  sampler.next();
  second(sampler, 3);
  sampler.next();
  expect(second(sampler, 50)).toHaveLength(50);
});

test("what the connection does not take counts as left out", () => {
  const sampler = new Sampler(50);
  expect([sampler.choose(false), sampler.choose(true)]).toEqual([false, true]);
  expect(sampler.next()).toEqual({ sent: 1, of: 2 });
});
