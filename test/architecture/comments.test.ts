import { readFileSync } from "node:fs";
import { join } from "node:path";
import { files } from "./product.ts";

const root = join(import.meta.dirname, "../..");
/** Beginnings of fragments, which need the line before or after them. */
const fragment = /(?:\/\*\*|\/\/|^ \*)\s+(?:The same|Of|By|By which|One) (?!default)/;

test("a comment is a sentence that stands by itself: none begins with The same, Of, By, One", () => {
  const found = files.flatMap(file =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, at) => (fragment.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
