import {
  type EventFilter,
  formerAfterChange,
  isWanted,
  passes,
} from "../../../../services/domain/delivery/event-filter.ts";
import { newLane, passOver, replayOf } from "../../../../services/domain/delivery/lane.ts";

const all: EventFilter = { event_types: null, sources: null, tags: null };
const hasTag = (sourceId: string, tags: readonly string[]) => sourceId === "a" && tags.includes("work");
const event = { seq: 5, type: "rss.item.created", sourceId: "a", json: "{}" };
const judged = (meaningful: boolean) => ({
  ...event,
  json: JSON.stringify({ data: { judgement: { judged: true, meaningful } } }),
});

test.each<[string, Partial<EventFilter>, boolean]>([
  ["no filter", {}, true],
  ["its type", { event_types: ["source.gone", "rss.item.created"] }, true],
  ["another type", { event_types: ["source.gone"] }, false],
  ["its source", { sources: ["b", "a"] }, true],
  ["another source", { sources: ["b"] }, false],
  ["a tag of its source", { tags: ["home", "work"] }, true],
  ["another tag", { tags: ["home"] }, false],
  ["its source and another tag", { sources: ["a"], tags: ["home"] }, false],
  ["its type and its tag", { event_types: ["rss.item.created"], tags: ["work"] }, true],
])("an event and %s", (_, filter, expected) => {
  expect(passes({ ...all, ...filter }, event, hasTag)).toBe(expected);
});

test("what a judge has dismissed is left out only where a filter asks for it", () => {
  const meaningful = { ...all, meaningful: true };
  expect(passes(all, judged(false), hasTag)).toBe(true);
  expect(passes(meaningful, judged(false), hasTag)).toBe(false);
  expect(passes(meaningful, judged(true), hasTag)).toBe(true);
  expect(passes(meaningful, event, hasTag)).toBe(true);
});

test("a judge's former filter counts for what was appended under it", () => {
  const former = formerAfterChange({ ...all, meaningful: true }, [], { position: 0, latest: 7 });
  expect(isWanted(all, former, { ...judged(false), seq: 7 }, hasTag)).toBe(false);
  expect(isWanted(all, former, { ...judged(false), seq: 8 }, hasTag)).toBe(true);
});

test("an event without a source passes by its type alone", () => {
  const without = { ...event, sourceId: null };
  expect(passes({ ...all, event_types: [event.type] }, without, hasTag)).toBe(true);
  expect(passes({ ...all, sources: ["a"] }, without, hasTag)).toBe(false);
  expect(passes({ ...all, tags: ["work"] }, without, hasTag)).toBe(false);
});

test("what a former filter left out stays out, and what came later does not", () => {
  const former = formerAfterChange({ ...all, sources: ["b"] }, [], { position: 0, latest: 7 });
  expect(isWanted(all, former, { ...event, seq: 7 }, hasTag)).toBe(false);
  expect(isWanted(all, former, { ...event, seq: 7, sourceId: "b" }, hasTag)).toBe(true);
  expect(isWanted(all, former, { ...event, seq: 8 }, hasTag)).toBe(true);
});

test("former filters are forgotten once the lane is past them, and only the last few are kept", () => {
  const at = (position: number, latest: number) => ({ position, latest });
  const one = formerAfterChange({ ...all, sources: ["b"] }, [], at(0, 7));
  expect(formerAfterChange(all, one, at(7, 9))).toEqual([]);
  expect(formerAfterChange({ ...all, tags: ["x"] }, one, at(6, 9)).map(({ until }) => until)).toEqual([7, 9]);
  expect(formerAfterChange({ ...all, tags: ["x"] }, [], at(9, 9))).toEqual([]);
  let many = one;
  for (let latest = 10; latest < 30; latest += 1)
    many = formerAfterChange({ ...all, sources: ["b"] }, many, at(0, latest));
  expect(many.map(({ until }) => until)).toEqual([22, 23, 24, 25, 26, 27, 28, 29]);
});

const waiting = (seq: number) => ({ seq, conversation: null, failures: 1, notBefore: 9, failedAt: 1 });

test.each([
  ["what follows", [{ from: 1, to: 3 }], 3],
  ["nothing behind a gap", [{ from: 2, to: 3 }], 0],
  [
    "what is done in between",
    [
      { from: 1, to: 2 },
      { from: 4, to: 90 },
    ],
    90,
    [3],
  ],
  [
    "what waits for a retry in between",
    [
      { from: 1, to: 1 },
      { from: 3, to: 4 },
    ],
    4,
    [],
    [2],
  ],
  [
    "no event that is under way",
    [
      { from: 1, to: 1 },
      { from: 3, to: 4 },
    ],
    1,
  ],
  [
    "what it has passed before",
    [
      { from: 1, to: 5 },
      { from: 6, to: 6 },
    ],
    6,
  ],
])("a lane passes over %s", (_, unwanted, position, settled: number[] = [], retries: number[] = []) => {
  const lane = { ...newLane(0), settled, retries: retries.map(waiting) };
  const passed = passOver(lane, unwanted);
  expect(passed.position).toBe(position);
  expect(passed.settled).toEqual(settled.filter(seq => seq > position));
  expect(passed.retries).toEqual(lane.retries);
});

test("chosen events that are done are tried again, and no others", () => {
  const lane = { ...newLane(4), settled: [6, 7], retries: [waiting(2)] };
  const chosen = [1, 2, 6, 8].map(seq => ({ seq, conversation: "c" }));
  const after = replayOf(lane, chosen, 50);
  const again = { conversation: "c", failures: 0, notBefore: 0, failedAt: 50 };
  expect(after.retries).toEqual([{ seq: 1, ...again }, waiting(2), { seq: 6, ...again }]);
  expect(after).toMatchObject({ position: 4, settled: [7] });
});
