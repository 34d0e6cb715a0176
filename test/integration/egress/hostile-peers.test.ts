import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

interface Report {
  unhandled: string[];
  refused: string;
  works: string[];
}

test("no peer and no client of a lane brings about an error that nobody handles, and the next job works", async () => {
  const program = join(import.meta.dirname, "hostile-peers.process.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", program], {
    timeout: 240_000,
  });
  const report: Report = JSON.parse(stdout);
  expect(report.unhandled).toEqual([]);
  expect(report.works).toEqual(["good", "good"]);
  // The library refuses what belongs to the proxy only once the target is vetted.
  expect(report.refused).toBe("InvalidArgumentError");
});
