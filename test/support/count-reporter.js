import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The last lines of a test run: what tests noted (run-notes.ts), then, for machines, how many passed and failed. Jest's
 * own summary always comes last.
 */
export default class CountReporter {
  #folder = mkdtempSync(join(tmpdir(), "magpie-run-"));

  constructor() {
    // Workers are started after the reporters and inherit this.
    process.env.RUN_NOTES = join(this.#folder, "notes");
  }

  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    const notes = existsSync(process.env.RUN_NOTES) ? readFileSync(process.env.RUN_NOTES, "utf8") : "";
    rmSync(this.#folder, { recursive: true, force: true });
    process.once("exit", () => {
      for (const note of new Set(notes.split("\n").filter(line => line))) console.log(note);
      console.log(`${numPassedTests} passed, ${failed} failed`);
    });
  }
}
