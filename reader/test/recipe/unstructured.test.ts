import { answerOf, ownPages } from "../../bench/fields.bench.ts";
import { rightness } from "../../bench/right-values.ts";

const pages = ownPages();

/** Twice what is right, as a share of what was asked and answered. */
function f1(type: string, part: string): number {
  let [asked, answered, right] = [0, 0, 0];
  for (const page of pages.filter(each => each.type === type && each.part === part)) {
    const answer = answerOf(page);
    asked += page.fields.length;
    answered += page.fields.filter(({ name }) => answer[name] !== undefined).length;
    right += page.fields.reduce((sum, field) => sum + rightness(field, answer[field.name]), 0);
  }
  return (2 * right) / (asked + answered);
}

test("ten designs of four pages each show recipes, events and jobs; half of them are held out", () => {
  for (const type of ["recipe", "event", "job"])
    for (const part of ["developed on", "held out"]) {
      const own = pages.filter(page => page.type === type && page.part === part);
      expect(own).toHaveLength(20);
      expect(new Set(own.map(({ url }) => new URL(url).hostname)).size).toBe(5);
    }
});

test.each([
  ["recipe", "developed on", 0.95],
  ["recipe", "held out", 0.9],
  ["event", "developed on", 0.95],
  ["event", "held out", 0.9],
  ["job", "developed on", 0.9],
  ["job", "held out", 0.85],
])("fields of a %s without structured data, %s: F1 of %d or more", (type, part, least) => {
  expect(f1(type, part)).toBeGreaterThanOrEqual(least);
});
