import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const tests = join(import.meta.dirname, "..");
const files = readFileSync(join(tests, "support/second-tries.txt"), "utf8")
  .split("\n")
  .filter(line => line !== "" && !line.startsWith("#"));

test("the test files with a second try exist, each once, in order", () => {
  expect(files.filter(file => !existsSync(join(tests, file)))).toEqual([]);
  expect(files).toEqual([...new Set(files)].toSorted());
});

test("the list of test files with a second try does not grow", () => {
  expect(files.length).toBeLessThanOrEqual(115);
});
