import { readPageText } from "../../../../services/domain/page-diff/compare-page.ts";
import {
  ignoredBlocks,
  type Rotation,
  restRotation,
  trackRotation,
} from "../../../../services/domain/page-diff/rotation.ts";
import { seeded } from "../../../faults/random.ts";
import { comparePage, keysOf } from "./compare.ts";

/** Polls a page that shows these lines one after the other; what each poll tells: lines that came, and that went. */
function follow(states: string[][]): string[] {
  let [turns, told] = [undefined as Rotation | undefined, read(states[0] ?? [])];
  return states.slice(1).map(lines => {
    const current = read(lines);
    turns = trackRotation(turns && JSON.parse(JSON.stringify(turns)), keysOf(told), keysOf(current));
    const change = comparePage(told, current, ignoredBlocks(turns));
    if (change) told = current;
    return change
      ? [...change.added.map(line => `+${line}`), ...change.removed.map(line => `-${line}`)].join()
      : "";
  });
}

function read(lines: string[]) {
  const page = readPageText(["# Page", ...lines].join("\n\n"));
  if (!page) throw new Error("a page says nothing");
  return page;
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

test("of three rotating texts the first rounds are published, then none", () => {
  const told = follow(times(40, poll => ["Text", `Praise by ${"ABC"[poll % 3]}`]));
  expect(told.slice(0, 4)).toEqual(times(4, n => `+Praise by ${"BCAB"[n]},-Praise by ${"ABCA"[n]}`));
  expect(told[4]).toContain("+Praise by C");
  expect(told.slice(5)).toEqual(times(34, () => ""));
});

test("of randomly rotating texts few are published", () => {
  let seed = 7;
  const lot = () => {
    seed = (seed * 16807) % 2147483647;
    return seed % 3;
  };
  expect(follow(times(300, () => ["Text", `Praise by ${"ABC"[lot()]}`])).filter(Boolean).length).toBeLessThan(
    20,
  );
});

test("beside rotating texts, a new text is published, and nothing else with it", () => {
  const states = times(30, poll => [poll < 20 ? "Price 10" : "Price 12", `Praise by ${"ABC"[poll % 3]}`]);
  const told = follow(states);
  expect(told[19]).toBe("+Price 12,-Price 10");
  expect(told.slice(6).filter(Boolean)).toHaveLength(1);
  const grown = follow(
    times(30, poll => ["Text", poll === 25 ? "Praise by D" : `Praise by ${"ABC"[poll % 3]}`]),
  );
  expect(grown[24]).toBe("+Praise by D");
});

test("a price that goes up and down again is published each time", () =>
  expect(follow([["10"], ["12"], ["10"], ["12"]].map(([price]) => [`Price ${price}`]))).toEqual([
    "+Price 12,-Price 10",
    "+Price 10,-Price 12",
    "+Price 12,-Price 10",
  ]));

test.each([3, 4, 8, 20])("stock that comes and goes is told each time when it stays for %d polls", polls => {
  const told = follow(
    times(polls * 12, poll => [Math.floor(poll / polls) % 2 === 0 ? "Sold out" : "In stock"]),
  );
  expect(told.filter(Boolean)).toHaveLength(11);
});

test("a short appearance between long absences is published each time", () => {
  const told = follow(times(96, poll => ["Text", poll % 8 === 7 ? "Tickets now" : "Text 2"]));
  expect(told.filter(line => line.includes("+Tickets now"))).toHaveLength(12);
});

test("a rotating text that stays is published, unless it was published last", () => {
  const turning = times(20, poll => [`Praise by ${"AB"[poll % 2]}`]);
  for (const last of ["A", "B"]) {
    const told = follow([...turning, ...times(40, () => [`Praise by ${last}`])]);
    const [before] = told.slice(0, 20).filter(Boolean).slice(-1);
    const after = told.slice(20).filter(Boolean);
    expect([before, ...after].at(-1)).toContain(`+Praise by ${last}`);
  }
});

const orders = ["ABCD", "BADC", "DCAB", "CABD", "DBCA", "ADBC"];
const list = (order = "") => [...order].map(name => `Entry ${name}`);

test("a list that is shuffled at each poll is published three times, and once more when it settles", () => {
  const told = follow([...times(20, poll => list(orders[poll % 6])), ...times(20, () => list("DCBA"))]);
  expect(told.slice(0, 20).map(line => line !== "")).toEqual(times(20, n => n < 3));
  expect(told.slice(20).filter(Boolean)).toHaveLength(1);
});

test("beside a shuffled list, only a new text is published", () => {
  const told = follow(times(20, poll => [...list(orders[poll % 6]), poll < 12 ? "Open" : "Closed"]));
  expect(told.slice(4).filter(Boolean)).toEqual(["+Closed,-Open"]);
});

test("a ranking that changes now and then is published each time", () => {
  const told = follow(times(60, poll => list(orders[Math.floor(poll / 3) % 6])));
  expect(told.filter(Boolean)).toHaveLength(19);
});

test("what is remembered of a page that is new at each poll is bounded", () => {
  let turns: Rotation | undefined;
  const page = (poll: number) => times(1000, n => `Line ${poll} ${n}`);
  for (let poll = 1; poll < 5; poll += 1) turns = trackRotation(turns, page(poll - 1), page(poll));
  expect(JSON.stringify(turns).length).toBeLessThan(10_000);
});

test("polls that find the page as it was count without the page", () => {
  const random = seeded(7);
  for (let round = 0; round < 60; round += 1) {
    let rotation: Rotation | undefined;
    let keys = ["a", "b", "c"];
    for (let poll = 0; poll < 12; poll += 1) {
      const published = keys;
      if (random() < 0.6) keys = "abcdef".split("").filter(() => random() < 0.6);
      rotation = trackRotation(rotation, published, keys);
    }
    for (const polls of [1, 4, 9, 10, 11, 29, 30, 31]) {
      let looked = rotation;
      for (let poll = 0; poll < polls; poll += 1) looked = trackRotation(looked, keys, keys);
      const rest = rotation && restRotation(rotation, polls);
      expect(rest?.blocks).toEqual(looked?.blocks);
      expect(rest?.order?.flips).toEqual(looked?.order?.flips);
    }
  }
});
