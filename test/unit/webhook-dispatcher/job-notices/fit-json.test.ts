import {
  bytesOf,
  noticeBody,
  truncateJson,
} from "../../../../services/webhook-dispatcher/job-notices/notice-body.ts";

const long = "x".repeat(1000);
const cases: [name: string, value: unknown, bytes: number, wanted: unknown][] = [
  ["what fits", { a: [1, "b"] }, 100, { a: [1, "b"] }],
  ["a text", long, 12, "x".repeat(10)],
  ["a text of wide characters", "äöü".repeat(100), 12, "äöüäö"],
  ["a text of escaped characters", "\n".repeat(100), 12, "\n".repeat(5)],
  ["a text, not within a character", "😀".repeat(100), 12, "😀😀"],
  ["a list", [long, long], 1010, [long]],
  ["a list with nothing that fits", [long], 100, []],
  [
    "the longer of two texts",
    { short: "s".repeat(40), long },
    120,
    { short: "s".repeat(40), long: "x".repeat(57) },
  ],
  ["two long texts alike", { a: long, b: long }, 117, { a: "x".repeat(50), b: "x".repeat(51) }],
  [
    "what is deep inside",
    { n: 1, a: { b: { c: long }, d: true } },
    60,
    { n: 1, a: { b: { c: "x".repeat(22) }, d: true } },
  ],
  ["too many names", { [long]: 1, [`${long}y`]: 1 }, 100, {}],
];

test.each(cases)("%s", (_name, value, bytes, wanted) => {
  const fitted = truncateJson(value, bytes);
  expect(fitted).toEqual(wanted);
  expect(bytesOf(fitted)).toBeLessThanOrEqual(bytes);
});

test("whatever the value and the size, it fits", () => {
  const value = {
    texts: { a: long, b: "ü\u0000".repeat(300), c: "" },
    lists: [[1, 2, 3], [long], { x: null, y: [long, { z: long }] }],
    facts: [true, null, 1.5e300],
  };
  for (let bytes = 2; bytes < 4500; bytes += 7)
    expect(bytesOf(truncateJson(value, bytes))).toBeLessThanOrEqual(bytes);
});

test.each([10, 300_000])("a notice of %d characters holds none that a receiver could not store", length => {
  const job = { id: "x", title: `nul \u0000 C1 \u0092 half \ud800${"y".repeat(length)}` };
  const notice = { type: "scrape.completed", timestamp: "2026-01-01T00:00:00.000Z", job };
  const body = noticeBody("evt_1", notice as unknown as Parameters<typeof noticeBody>[1]);
  expect(body).toContain("nul  C1  half \ufffdyyy");
  expect(body.length).toBeLessThan(256 * 1024);
});
