import { needs } from "../support/needs.ts";

let before: NodeJS.ProcessEnv;
beforeEach(() => {
  before = { ...process.env };
  // What is missing here on purpose is no news of the run.
  delete process.env.RUN_NOTES;
});
afterEach(() => {
  process.env = before;
});

test("tests whose needs are met run", () => {
  process.env.REQUIRE_ALL = "1";
  expect(needs(true, "a harbour")).toEqual({ describe, test });
});

test("those whose needs are not met are skipped", () => {
  delete process.env.REQUIRE_ALL;
  expect(needs(false, "a harbour")).toEqual({ describe: describe.skip, test: test.skip });
});

test("with REQUIRE_ALL=1 they fail, and say what is missing", () => {
  process.env.REQUIRE_ALL = "1";
  expect(() => needs(false, "a harbour")).toThrow("These tests need a harbour.");
});

test("but for what may be missing everywhere", () => {
  process.env.REQUIRE_ALL = "1";
  expect(needs(false, "a harbour", { isOptional: true }).test).toBe(test.skip);
});
