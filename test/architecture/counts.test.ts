import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { files } from "./product.ts";

const root = join(import.meta.dirname, "../..");

test("there are few doors", () => {
  // One operation a file once made 855 of them, half imported by one other: each was clear, the whole a maze. A file is
  // one noun with its operations, from 60 to 250 lines.
  const isOfReader = (file: string) => file.startsWith("reader/");
  expect(files.filter(file => !isOfReader(file)).length).toBeLessThanOrEqual(1240);
  expect(files.filter(isOfReader).length).toBeLessThanOrEqual(218);
});

test("the domain has at most 16,700 lines: what reads pages is the reader's", () => {
  const domain = execFileSync("git", ["ls-files", "services/domain"], { cwd: root, encoding: "utf8" });
  const linesIn = (file: string) => readFileSync(join(root, file), "utf8").split("\n").length - 1;
  const lines = domain
    .trim()
    .split("\n")
    .reduce((sum, file) => sum + linesIn(file), 0);
  expect(lines).toBeGreaterThan(5000);
  expect(lines).toBeLessThanOrEqual(16_700);
});
