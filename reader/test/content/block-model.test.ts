import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ownModel, readBlockModel, writeBlockModel } from "../../content/block-model.ts";

const file = join(import.meta.dirname, "../../content/model.bin");

test("the model in the repository is written as it was read", () => {
  const bytes = readFileSync(file);
  expect(Buffer.compare(writeBlockModel(readBlockModel(bytes)), bytes)).toBe(0);
});

test("a thread reads the model once", () => {
  expect(ownModel()).toBe(ownModel());
  expect(ownModel().odds.size).toBeGreaterThan(1000);
});

test("a file that was cut is refused", () => {
  const bytes = readFileSync(file);
  expect(() => readBlockModel(bytes.subarray(0, bytes.length - 1))).toThrow("the file was cut");
});
