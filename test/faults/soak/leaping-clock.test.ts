import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../../support/folders.ts";
import { waitsForClock } from "./leaping-clock.ts";

test.each([
  [undefined, false],
  [250, false],
  [5000, false],
  [30_000, false],
  [1001, true],
  [5123.4, true],
  [60_000, true],
])("a timer of %s ms waits for the clock: %s", (ms, waits) => expect(waitsForClock(ms)).toBe(waits));

test("hours of timers pass with the leaps of the clock, but for those that were cleared", async () => {
  const folder = mkdtempSync(join(tmpdir(), "magpie-leaps-"));
  const program = `
    import { setTimeout as sleep } from "node:timers/promises";
    const began = Date.now();
    clearTimeout(setTimeout(() => console.log("cleared"), 3_600_000));
    let rounds = 0;
    const interval = setInterval(() => {
      rounds += 1;
      if (rounds === 2) clearInterval(interval);
    }, 7_200_000);
    await sleep(4 * 3_600_000);
    while (rounds < 2) await sleep(50);
    console.log(Date.now() - began >= 4 * 3_600_000, new Date().getTime() >= began + 4 * 3_600_000, rounds);`;
  const preload = new URL("leaping-clock.ts", import.meta.url);
  const clock = { since: String(Date.now()), everyMs: "200", leapMs: "3600000" };
  preload.search = new URLSearchParams({ ...clock, file: join(folder, "holding.json") }).toString();
  const args = ["--no-warnings", `--import=${preload}`, "--input-type=module", "-e", program];
  expect(execFileSync(process.execPath, args, { encoding: "utf8", timeout: 60_000 })).toBe("true true 2\n");
  await removeFolder(folder);
}, 90_000);
