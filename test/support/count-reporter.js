import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One late process in ten thousand tests is the machine's; more than these are the code's. */
const SECOND_TRIES_BORNE = 5;
const MANY_FILES = 50;

const progressEveryMs = 30_000;

/**
 * Says at the start what the tests start, and now and then how far they are where no terminal shows it. The last lines of
 * a test run: what tests noted (run-notes.ts), which ones held only on their second try, then, for
 * machines, how many passed and failed. Jest's own summary always comes last.
 */
export default class CountReporter {
  #folder = mkdtempSync(join(tmpdir(), "magpie-run-"));
  #secondTries = [];
  #began = Date.now();
  #spoke = Date.now();

  constructor() {
    // Workers are started after the reporters and inherit this.
    process.env.RUN_NOTES = join(this.#folder, "notes");
  }

  onRunStart({ numTotalTestSuites }) {
    if (numTotalTestSuites < MANY_FILES) return;
    console.log(`${numTotalTestSuites} test files, five at a time. What they start, on free ports of 127.0.0.1, ends with them:
the service, browsers, and for tests of several nodes Redis, NATS and MongoDB, which are downloaded once where
this machine has none. npm run test:unit starts none of these.`);
  }

  onTestResult({ path }, { testResults }, { numTotalTestSuites, ...results }) {
    this.#tellProgress(results.numPassedTestSuites + results.numFailedTestSuites, numTotalTestSuites);
    for (const { status, invocations, fullName } of testResults)
      if (status === "passed" && (invocations ?? 1) > 1) this.#secondTries.push(`${path}: ${fullName}`);
  }

  #tellProgress(done, all) {
    if (process.stdout.isTTY || Date.now() - this.#spoke < progressEveryMs) return;
    this.#spoke = Date.now();
    console.log(`${done} of ${all} test files, ${Math.round((this.#spoke - this.#began) / 1000)} s`);
  }

  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    const late = this.#secondTries;
    const tooMany = late.length > SECOND_TRIES_BORNE;
    const failed = numFailedTests + numRuntimeErrorTestSuites + (tooMany ? late.length : 0);
    const notes = existsSync(process.env.RUN_NOTES) ? readFileSync(process.env.RUN_NOTES, "utf8") : "";
    rmSync(this.#folder, { recursive: true, force: true });
    if (tooMany) process.exitCode = 1;
    process.once("exit", () => {
      for (const note of new Set(notes.split("\n").filter(line => line))) console.log(note);
      for (const name of late) console.log(`held on its second try: ${name}`);
      if (tooMany) console.log(`More than ${SECOND_TRIES_BORNE} did: they count as failed.`);
      console.log(`${numPassedTests - (tooMany ? late.length : 0)} passed, ${failed} failed`);
    });
  }
}
