import { changesOf, csvOf, type Run, sampled, spanMs } from "../../../services/history/forms/series.ts";

const hour = 3_600_000;
const runs: Run[] = [
  { field: "value", value: 10, first: 0, last: 2.5 * hour },
  { field: "value", value: 12, first: 3.2 * hour, last: 3.4 * hour },
  { field: "value", value: 9, first: 3.5 * hour, last: 5 * hour },
  { field: "stock", value: "yes", first: 0, last: 5 * hour },
];

test("a point for each change, from a time on with what was there then", () => {
  expect(changesOf(runs, { from: hour, to: 3.3 * hour })).toEqual([
    { at: hour, field: "stock", value: "yes" },
    { at: hour, field: "value", value: 10 },
    { at: 3.2 * hour, field: "value", value: 12 },
  ]);
});

test("a point for each span: the last value in it", () => {
  const points = sampled(runs, hour, { limit: 100 }).filter(({ field }) => field === "value");
  expect(points.map(({ at, value }) => [at / hour, value])).toEqual([
    ...[0, 1, 2].map(at => [at, 10]),
    ...[3, 4, 5].map(at => [at, 9]),
  ]);
});

test("the latest points where there would be too many, however long a value stayed", () => {
  const long: Run[] = [{ field: "value", value: 1, first: 0, last: 1e6 * hour }];
  const points = sampled(long, 60_000, { limit: 10 });
  expect(points).toHaveLength(10);
  expect(points.at(-1)?.at).toBe(1e6 * hour);
});

test.each([
  ["15m", 900_000],
  ["6h", 6 * hour],
  ["1d", 24 * hour],
  ["2w", 336 * hour],
])("%s", (text, ms) => expect(spanMs(text)).toBe(ms));

test.each([
  ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ["+1", "'+1"],
  ["-2+3", "'-2+3"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  [" =1", "' =1"],
  ["\r=1", '"\'\r=1"'],
  ["＝1", "'＝1"],
  ['a,"b"\nc', '"a,""b""\nc"'],
  ['=HYPERLINK("http://a","b")', '"\'=HYPERLINK(""http://a"",""b"")"'],
  [-5.5, "-5.5"],
  [true, "true"],
  [null, ""],
  ["plain", "plain"],
])("as CSV, %j is %j", (value, cell) => {
  expect(csvOf([{ at: 0, field: "f", value }])).toBe(
    `at,field,value\r\n1970-01-01T00:00:00.000Z,f,${cell}\r\n`,
  );
});

test("the name of a field is as dangerous as a value", () => {
  expect(csvOf([{ at: 0, field: "=1+1", value: 1 }])).toContain(",'=1+1,1\r\n");
});
