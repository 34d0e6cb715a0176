import { showProgress } from "../../../mixins/runtime/show-progress.ts";
import { until } from "../../support/until.ts";

test("writes a line before the step, while it runs with its detail, and after it", async () => {
  const lines: string[] = [];
  const said = (pattern: RegExp) => until(String(pattern), () => lines.some(line => pattern.test(line)));
  const step = async (note: (detail: string) => void) => {
    expect(lines).toEqual(["Building it …"]);
    await said(/^Building it, for 0 s so far$/);
    note("12 packages");
    await said(/so far: 12 packages$/);
    return 7;
  };
  expect(await showProgress("Building it", step, { write: line => lines.push(line), everyMs: 1 })).toBe(7);
  expect(lines.at(-1)).toMatch(/^Building it: done in \d+ s$/);
});

test("a step that fails says so, and nothing afterwards", async () => {
  const lines: string[] = [];
  const fail = () => Promise.reject(new Error("no"));
  const failing = showProgress("Building it", fail, { write: line => lines.push(line), everyMs: 1 });
  await expect(failing).rejects.toThrow("no");
  const count = lines.length;
  await until("a timer of 1 ms would have fired", async () => {
    await new Promise(resolve => setTimeout(resolve, 5));
    return true;
  });
  expect(lines.slice(count)).toEqual([]);
  expect(lines.at(-1)).toBe("Building it: failed after 0 s");
});
