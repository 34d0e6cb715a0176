import { SparseLog } from "../../../mixins/log/sparse-log.ts";

test("of an event so many lines a minute are logged, and the next minute has the number of the others", () => {
  const lines: unknown[] = [];
  let now = 0;
  const take = (...line: unknown[]) => void lines.push(line);
  const sparse = new SparseLog({ warn: take, error: take } as never, 3, () => now);
  for (let n = 0; n < 10; n += 1) sparse.log("session.refused", { n });
  sparse.log("browser.failed", { n: 0 });
  expect(lines).toEqual([
    ["session.refused", { n: 0 }],
    ["session.refused", { n: 1 }],
    ["session.refused", { n: 2 }],
    ["browser.failed", { n: 0 }],
  ]);
  now = 60_000;
  sparse.log("session.refused", { n: 10 });
  sparse.log("session.refused", { n: 11 });
  expect(lines.slice(4)).toEqual([
    ["session.refused", { n: 10, leftOut: 7 }],
    ["session.refused", { n: 11 }],
  ]);
});
