import { noteForRun } from "./run-notes.ts";

/**
 * Jest's `describe` and `test` where what they need is there. Else they skip, Jest counts them as skipped, and the end of
 * the run says what is missing.
 *
 *   const withPromtool = needs(hasPromtool, "promtool (Debian: apt-get install prometheus)");
 *   withPromtool.test("the alerts fire", …);
 */
export function needs(isThere: boolean, what: string): Pick<typeof globalThis, "describe" | "test"> {
  if (isThere) return { describe, test };
  noteForRun(`Skipped, for want of ${what}`);
  return { describe: describe.skip as typeof describe, test: test.skip as typeof test };
}
