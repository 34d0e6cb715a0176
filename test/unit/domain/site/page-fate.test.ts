import {
  type FateStep,
  type FoundAt,
  nextFate,
  type PageFate,
  type Target,
  twinFate,
  type Witness,
} from "../../../../services/domain/site/page-fate.ts";

const [second, minute, hour] = [1000, 60_000, 3_600_000];
const start = Date.UTC(2026, 10, 27);

const target = (part: Partial<Target> = {}): Target => ({
  ...{ key: "site.example/new", url: "https://site.example/new", isInScope: true, isShared: false },
  ...part,
});
const redirect = (isPermanent: boolean, to = target()): FoundAt => ({ is: "redirect", isPermanent, to });

/** Visits of a page that was there, at times after the start; what each made of it. */
function visits(
  all: readonly [at: number, found: FoundAt, witness?: Witness][],
  first: PageFate["state"] = "there",
) {
  const steps: FateStep[] = [];
  let fate: PageFate = { state: first };
  for (const [at, found, witness = "there"] of all) {
    const step = nextFate(fate, found, {
      ...{ at: start + at, isTold: true, witness, roundAt: start + at, isSearching: false },
    });
    steps.push(step);
    fate = { state: step.state, ...(step.missing && { missing: step.missing }) };
  }
  return { steps, last: steps.at(-1), told: steps.flatMap(({ tell }) => tell ?? []) };
}

const found = (is: "page" | "gone" | "empty" | "refused" | "failed"): FoundAt => ({ is });

test("a 404 is confirmed half a minute later", () => {
  const { steps, told } = visits([
    [0, found("gone")],
    [29 * second, found("gone")],
    [31 * second, found("gone")],
  ]);
  expect(steps.map(({ state }) => state)).toEqual(["missing", "missing", "removed"]);
  expect(steps[0]?.dueInMs).toBe(30 * second);
  expect(told).toEqual(["removed"]);
});

test("a page that is back, or whose server fails, is not removed", () => {
  expect(
    visits([
      [0, found("gone")],
      [31 * second, found("page")],
    ]).told,
  ).toEqual([]);
  const failing = visits([
    [0, found("gone")],
    [31 * second, found("failed")],
    [2 * hour, found("failed")],
  ]);
  expect(failing.told).toEqual([]);
  expect(failing.last?.state).toBe("missing");
});

test("a 404 that was something else in between is counted anew", () => {
  const { told, last } = visits([
    [0, found("gone")],
    [31 * second, found("empty")],
    [62 * second, found("gone")],
    [70 * second, found("gone")],
  ]);
  expect([told, last?.state]).toEqual([[], "missing"]);
});

test.each<[string, FoundAt]>([
  ["a page that says that nothing is there", found("empty")],
  ["robots.txt", found("refused")],
  ["a redirect to the entry page", redirect(true, target({ isShared: true }))],
  ["a redirect to another site", redirect(true, target({ isInScope: false }))],
])("%s is a removal when it is so an hour later", (_, absence) => {
  const { steps, told } = visits([
    [0, absence],
    [59 * minute, absence],
    [61 * minute, absence],
  ]);
  expect(steps.slice(0, 2).map(({ tell }) => tell)).toEqual([undefined, undefined]);
  expect(told).toEqual(["removed"]);
});

test("a permanent redirect and a canonical address are moves at once, a temporary one an hour later", () => {
  expect(visits([[0, redirect(true)]]).steps).toEqual([{ state: "moved", to: target(), tell: "moved" }]);
  expect(visits([[0, { is: "canonical", to: target() }]]).told).toEqual(["moved"]);
  const temporary = visits([
    [0, redirect(false)],
    [30 * minute, redirect(false)],
    [61 * minute, redirect(false)],
  ]);
  expect(temporary.steps.map(({ state }) => state)).toEqual(["missing", "missing", "moved"]);
});

test("a canonical address that other pages name, too, is no move", () => {
  expect(visits([[0, { is: "canonical", to: target({ isShared: true }) }]]).steps).toEqual([
    { state: "there" },
  ]);
});

test("a redirect that leads elsewhere later is no move to where it led first", () => {
  const other = target({ key: "site.example/other", url: "https://site.example/other" });
  const { last } = visits([
    [0, redirect(false)],
    [61 * minute, redirect(false, other)],
    [80 * minute, redirect(false, other)],
    [122 * minute, redirect(false, other)],
  ]);
  expect(last).toMatchObject({ state: "moved", to: other });
});

test("where other pages are missing, too, a removal waits for three days; where none was seen, they are asked for", () => {
  const held = visits([
    [0, found("gone")],
    [31 * second, found("gone"), "none"],
    [62 * second, found("gone"), "missing"],
    [30 * minute, found("gone"), "missing"],
  ]);
  expect(held.told).toEqual([]);
  expect(held.steps[1]?.wantsWitness).toBe(true);
  expect(held.last?.dueInMs).toBe(30 * minute);
  expect(
    visits([
      [0, found("gone")],
      [61 * minute, found("gone"), "missing"],
      [71 * hour, found("gone"), "missing"],
    ]).told,
  ).toEqual([]);
  expect(
    visits([
      [0, found("gone")],
      [73 * hour, found("gone"), "missing"],
    ]).told,
  ).toEqual(["removed"]);
});

test("a removal waits for the next round, which finds a page that has moved at its new address", () => {
  const missing = { since: start, by: "gone" as const, goneSince: start };
  const now = { at: start + 40 * second, isTold: true, witness: "there" as const, isSearching: false };
  const at = (circumstances: { roundAt: number; isSearching?: boolean; at?: number }) =>
    nextFate({ state: "missing", missing }, found("gone"), { ...now, ...circumstances }).state;
  expect(at({ roundAt: start - second })).toBe("missing");
  expect(at({ roundAt: start + second, isSearching: true })).toBe("missing");
  expect(at({ roundAt: start + second })).toBe("removed");
  expect(at({ roundAt: start + second, isSearching: true, at: start + hour })).toBe("removed");
});

test("a page that comes back after it was removed is added", () => {
  expect(visits([[0, found("page")]], "removed").told).toEqual(["added"]);
  expect(visits([[0, found("page")]], "new").told).toEqual(["added"]);
});

test("a new page that is none tells nothing", () => {
  expect(visits([[0, found("gone")]], "new").steps).toEqual([{ state: "removed" }]);
  expect(visits([[0, found("refused")]], "new").steps).toEqual([{ state: "refused" }]);
  expect(visits([[0, redirect(true)]], "new").steps).toEqual([{ state: "alias", to: target() }]);
});

test("nothing is told while the pages are read for the first time", () => {
  const step = nextFate({ state: "new" }, found("page"), {
    at: start,
    isTold: false,
    witness: "none",
    roundAt: start,
    isSearching: false,
  });
  expect(step).toEqual({ state: "there" });
});

test("a new page with the content of another has moved there, or is a copy", () => {
  expect(twinFate({ state: "there", visitedAt: 1 }, 2)).toBe("visit");
  expect(twinFate({ state: "there", visitedAt: 3 }, 2)).toBe("copy");
  expect(twinFate({ state: "missing", visitedAt: 3 }, 2)).toBe("moved");
});
