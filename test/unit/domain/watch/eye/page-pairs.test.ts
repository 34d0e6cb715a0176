import { changes } from "../../../../fixtures/watching/changes.ts";
import { noises } from "../../../../fixtures/watching/noise.ts";
import { eventsOf } from "./watch-versions.ts";

const bar = 0.95;

const told = changes.map(({ name, before, after }) => ({
  name,
  events: eventsOf([before, before, after, after, after]),
}));
const heard = noises
  .filter(({ isObserved }) => !isObserved)
  .map(({ name, at }) => ({ name, events: eventsOf([0, 1, 2, 3, 4, 5, 6].map(at)) }));

test("there are at least 80 real changes and 40 kinds of noise", () => {
  expect(changes.length).toBeGreaterThanOrEqual(80);
  expect(noises.length).toBeGreaterThanOrEqual(40);
  expect(new Set([...changes, ...noises].map(({ name }) => name)).size).toBe(changes.length + noises.length);
});

test("95 % of the real changes are told, each once", () => {
  const failing = told.filter(({ events }) => events.length !== 1).map(({ name }) => name);
  expect({ failing, share: 1 - failing.length / told.length >= bar }).toEqual({
    failing: expect.any(Array),
    share: true,
  });
});

test("95 % of the kinds of noise are silent", () => {
  const failing = heard.filter(({ events }) => events.length > 0).map(({ name }) => name);
  expect({ failing, share: 1 - failing.length / heard.length >= bar }).toEqual({
    failing: expect.any(Array),
    share: true,
  });
});

test("noise that only watching knows is told three times at most", () => {
  const fetches = Array.from({ length: 24 }, (_, fetch) => fetch);
  const observed = noises.filter(({ isObserved }) => isObserved);
  const loud = observed.filter(({ at }) => eventsOf(fetches.map(at)).length > 3);
  expect(loud.map(({ name }) => name)).toEqual([]);
});
