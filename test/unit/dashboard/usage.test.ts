import { lastDays, seriesOf, usageOf } from "../../../dashboard/pages/usage-data.ts";

const days = ["2026-11-21", "2026-11-22", "2026-11-23"];

test("the last days are days in UTC that end with today", () => {
  expect(lastDays(3, Date.UTC(2026, 10, 23, 0, 0, 1))).toEqual(days);
});

test("counts of keys become rows, the largest first, with zeros for days without requests", () => {
  const keys = [
    { id: "a", name: "small", owner: "acme", counts: [{ day: "2026-11-23", requests: 2 }] },
    {
      id: "b",
      name: "large",
      owner: "acme",
      counts: [
        { day: "2026-11-23", requests: 5 },
        { day: "2026-11-21", requests: 1 },
        { day: "2026-01-01", requests: 99 },
      ],
    },
  ];
  expect(usageOf(keys, days)).toEqual({
    days,
    total: [1, 0, 7],
    keys: [
      { key_id: "b", name: "large", owner: "acme", requests: [1, 0, 5] },
      { key_id: "a", name: "small", owner: "acme", requests: [0, 0, 2] },
    ],
  });
});

const keysWith = (requests: number[]) =>
  requests.map((each, at) => ({ key_id: `k${at}`, name: `key ${at}`, owner: "o", requests: [each] }));

test.each([
  ["all have a colour", [6, 5, 4, 3, 2, 1], 21, ["key 0", "key 1", "key 2", "key 3", "key 4", "key 5"]],
  ["two share one", [7, 6, 5, 4, 3, 2, 1], 28, ["key 0", "key 1", "key 2", "key 3", "key 4", "All others"]],
  ["keys beyond the list count, too", [2], 5, ["key 0", "All others"]],
])("in the series of keys %s", (_, requests, total, names) => {
  const series = seriesOf({ days: ["d"], total: [total], keys: keysWith(requests) });
  expect(series.map(({ name }) => name)).toEqual(names);
  expect(series.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(total);
});
