import { Circuit } from "../../../../services/scraper/judge/circuit.ts";

let now: number;
let circuit: Circuit;

beforeEach(() => {
  now = 0;
  circuit = new Circuit(() => now);
});

function fail(site: string, times: number, isForAll = true): void {
  for (let n = 0; n < times; n++) circuit.failed(site, { isForAll });
}

test("three failures in a row of a site pause that site alone, for a minute", () => {
  fail("a", 2);
  expect(circuit.isOpen("a")).toBe(false);
  fail("a", 1);
  expect([circuit.isOpen("a"), circuit.isOpen("b")]).toEqual([true, false]);
  now = 60_000;
  expect(circuit.isOpen("a")).toBe(false);
});

test("after the minute one more failure pauses it again, and a success ends the row", () => {
  fail("a", 3);
  now = 60_000;
  fail("a", 1);
  expect(circuit.isOpen("a")).toBe(true);
  now = 120_000;
  circuit.succeeded("a");
  fail("a", 2);
  expect(circuit.isOpen("a")).toBe(false);
});

test("failures of three sites without a success between pause all", () => {
  for (const site of ["a", "b"]) fail(site, 1);
  circuit.succeeded("c");
  for (const site of ["d", "e"]) fail(site, 1);
  expect(circuit.isOpen("x")).toBe(false);
  fail("f", 1);
  expect(circuit.isOpen("x")).toBe(true);
});

test("what sites provoke pauses no other site, however many they are", () => {
  for (let n = 0; n < 20; n++) fail(`slow ${n}`, 3, false);
  expect([circuit.isOpen("slow 1"), circuit.isOpen("x")]).toEqual([true, false]);
});

test("it forgets sites beyond a thousand", () => {
  fail("a", 2);
  for (let n = 0; n < 1000; n++) {
    fail(`other ${n}`, 1);
    circuit.succeeded("elsewhere");
  }
  now = 120_000;
  fail("a", 1);
  expect(circuit.isOpen("a")).toBe(false);
});
