import { SparseLog } from "../../../mixins/runtime/sparse-log.ts";

test("of an event so many lines a minute are logged, and the next minute has the number of the others", () => {
  const lines: unknown[] = [];
  let now = 0;
  const take = (...line: unknown[]) => void lines.push(line);
  const log = new SparseLog({ warn: take, error: take } as never, 3, () => now);
  for (let n = 0; n < 10; n += 1) log.warn("sign-in.refused", { n });
  log.error("browser.fault", { n: 0 });
  expect(lines).toEqual([
    ["sign-in.refused", { n: 0 }],
    ["sign-in.refused", { n: 1 }],
    ["sign-in.refused", { n: 2 }],
    ["browser.fault", { n: 0 }],
  ]);
  now = 60_000;
  log.warn("sign-in.refused", { n: 10 });
  log.warn("sign-in.refused", { n: 11 });
  expect(lines.slice(4)).toEqual([
    ["sign-in.refused", { n: 10, leftOut: 7 }],
    ["sign-in.refused", { n: 11 }],
  ]);
});
