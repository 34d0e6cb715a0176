import {
  charge,
  countEvents,
  countsAt,
  dueNotices,
  markSent,
  type QuotaCounts,
  settle,
  usesOf,
} from "../../../../services/domain/quota/counts.ts";
import type { Amounts, Quotas } from "../../../../services/domain/quota/quotas.ts";

const noon = Date.parse("2026-11-27T12:00:00.000Z");
const nextDay = Date.parse("2026-11-28T00:00:00.000Z");
const nextMonth = Date.parse("2026-12-01T00:00:00.000Z");
const page: Amounts = { pages: 1 };

/** The counts after these charges, of which the last one may be refused. */
function charged(quotas: Quotas, ids: string[], now = noon, from: QuotaCounts | null = null) {
  let counts = countsAt(from, now);
  const refused: string[] = [];
  for (const id of ids) {
    const taken = charge(counts, quotas, { id, amounts: page });
    counts = taken.counts;
    if (taken.refused) refused.push(`${id} ${taken.refused.period}`);
  }
  return { counts, refused };
}

const used = (counts: QuotaCounts, quotas: Quotas) => usesOf(counts, quotas).map(each => each.used);

test("exactly the limit passes, and what is open counts", () => {
  const quotas = { day: { pages: 2 } };
  const { counts, refused } = charged(quotas, ["a", "b", "c", "d"]);
  expect(refused).toEqual(["c day", "d day"]);
  expect(usesOf(counts, quotas)).toEqual([
    { name: "pages", period: "day", used: 2, limit: 2, resets_at: "2026-11-28T00:00:00.000Z" },
  ]);
});

test("a charge that is open takes nothing again, and one that has ended does", () => {
  const quotas = { day: { pages: 5 } };
  const { counts } = charged(quotas, ["a", "a", "a"]);
  expect(used(counts, quotas)).toEqual([1]);
  const again = charged(quotas, ["a"], noon, settle(counts, "a", true));
  expect(used(again.counts, quotas)).toEqual([2]);
});

test("work that was not done is given back once", () => {
  const quotas = { day: { pages: 5 }, month: { pages: 9 } };
  const { counts } = charged(quotas, ["a", "b"]);
  const back = settle(settle(settle(counts, "a", false), "a", false), "unknown", false);
  expect(used(back, quotas)).toEqual([1, 1]);
  expect(used(settle(back, "b", true), quotas)).toEqual([1, 1]);
});

test("all of the quotas are charged, or none", () => {
  const quotas = { day: { pages: 9 }, month: { pages: 1 } };
  const { counts, refused } = charged(quotas, ["a", "b"]);
  expect(refused).toEqual(["b month"]);
  expect(used(counts, quotas)).toEqual([1, 1]);
});

test("of two quotas that refuse, the one that ends last is named", () => {
  expect(charged({ day: { pages: 0 }, month: { pages: 0 } }, ["a"]).refused).toEqual(["a month"]);
  expect(charged({ day: { rendered: 0 } }, ["a"]).refused).toEqual([]);
});

test("a period that has ended begins again, and a clock that is behind changes nothing", () => {
  const quotas = { day: { pages: 2 }, month: { pages: 3 } };
  const { counts } = charged(quotas, ["a", "b"]);
  const tomorrow = charged(quotas, ["c", "d"], nextDay, counts);
  expect(tomorrow.refused).toEqual(["d month"]);
  expect(used(tomorrow.counts, quotas)).toEqual([1, 3]);
  expect(used(countsAt(tomorrow.counts, noon), quotas)).toEqual([1, 3]);
  expect(used(countsAt(tomorrow.counts, nextMonth), quotas)).toEqual([0, 0]);
});

test("what is given back after its period leaves the next one alone", () => {
  const quotas = { day: { pages: 2 }, month: { pages: 9 } };
  const { counts } = charged(quotas, ["late"]);
  const tomorrow = charged(quotas, ["new"], nextDay, counts);
  expect(used(settle(tomorrow.counts, "late", false), quotas)).toEqual([1, 1]);
});

test("charges that a crash left open are kept for a month", () => {
  const { counts } = charged({ day: { pages: 2 } }, ["old"]);
  const december = countsAt(counts, nextMonth);
  expect(Object.keys(december.open)).toEqual(["old"]);
  expect(countsAt(december, Date.parse("2027-01-01T00:00:00.000Z")).open).toEqual({});
});

describe("events are counted by the numbers of the log", () => {
  const quotas = { day: { events: 10 }, month: { events: 100 } };

  test("from the first look on, each once", () => {
    const first = countEvents(countsAt(null, noon), { latest: 40, day: 30, month: 5 });
    expect(used(first, quotas)).toEqual([0, 0]);
    const later = countEvents(first, { latest: 47, day: 30, month: 5 });
    expect(used(countEvents(later, { latest: 47, day: 30, month: 5 }), quotas)).toEqual([7, 7]);
  });

  test("in a new period from its beginning, however late the look", () => {
    const first = countEvents(countsAt(null, noon), { latest: 40, day: 30, month: 5 });
    const next = countEvents(countsAt(first, nextDay), { latest: 60, day: 55, month: 5 });
    expect(used(next, quotas)).toEqual([5, 20]);
  });

  test("a notice is no event of the quota", () => {
    const first = countEvents(countsAt(null, noon), { latest: 0, day: 0, month: 0 });
    const eight = countEvents(first, { latest: 8, day: 0, month: 0 });
    const [notice] = dueNotices(eight, quotas, []);
    if (!notice) throw new Error("No notice is due");
    const marked = markSent(markSent(eight, notice), notice);
    expect(used(countEvents(marked, { latest: 9, day: 0, month: 0 }), quotas)).toEqual([8, 8]);
  });
});

describe("notices", () => {
  const quotas = { day: { pages: 10 } };
  const ids = (count: number) => Array.from({ length: count }, (_, n) => `p${n}`);
  const ended = (count: number) =>
    ids(count).reduce((counts, id) => settle(counts, id, true), charged(quotas, ids(count)).counts);
  const types = (counts: QuotaCounts, refused = usesOf(counts, {})) =>
    dueNotices(counts, quotas, refused).map(({ type }) => type);

  test.each([
    [7, []],
    [8, ["quota.warning"]],
    [9, ["quota.warning"]],
    [10, ["quota.warning", "quota.exceeded"]],
  ])("of 10 pages %i", (count, expected) => {
    expect(types(ended(count))).toEqual(expected);
  });

  test("what is open may be given back, so only ended charges cause a notice", () => {
    const { counts } = charged(quotas, ids(10));
    expect(types(counts)).toEqual([]);
    expect(types(counts, usesOf(counts, quotas))).toEqual(["quota.warning", "quota.exceeded"]);
  });

  test("each once in a period", () => {
    let counts = ended(8);
    for (const notice of dueNotices(counts, quotas, [])) counts = markSent(counts, notice);
    expect(types(counts)).toEqual([]);
    expect(types(countsAt(counts, nextDay))).toEqual([]);
    const more = ["x", "y"].reduce(
      (all, id) => settle(all, id, true),
      charged(quotas, ["x", "y"], noon, counts).counts,
    );
    expect(types(more)).toEqual(["quota.exceeded"]);
    for (const notice of dueNotices(more, quotas, [])) counts = markSent(more, notice);
    expect(types(counts, usesOf(counts, quotas))).toEqual([]);
  });

  test("a quota of 0 causes a notice when it refuses something", () => {
    const none = { day: { pages: 0 } };
    const { counts } = charged(none, []);
    expect(dueNotices(counts, none, [])).toEqual([]);
    expect(dueNotices(counts, none, usesOf(counts, none))).toHaveLength(1);
  });
});
