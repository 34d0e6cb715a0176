import { noteForRun } from "./run-notes.ts";

/**
 * Jest's `describe` and `test` where what they need is there. Else they skip, Jest counts them as skipped, and the end of
 * the run says what is missing. With REQUIRE_ALL=1, as in `.ci/run`, the test file fails, unless it may be missing there,
 * too: `isOptional`.
 *
 *   const withGo = needs(hasGo, "go, which runs a function of the guide");
 *   withGo.test("the function tells genuine deliveries from others", …);
 */
export function needs(
  isThere: boolean,
  what: string,
  { isOptional = false } = {},
): Pick<typeof globalThis, "describe" | "test"> {
  if (isThere) return { describe, test };
  if (process.env.REQUIRE_ALL === "1" && !isOptional)
    throw new Error(
      `These tests need ${what}. REQUIRE_ALL=1 forbids to skip them: install it, or unset REQUIRE_ALL.`,
    );
  noteForRun(`Skipped, for want of ${what}`);
  return { describe: describe.skip as typeof describe, test: test.skip as typeof test };
}
