import { duration, plural, relative } from "../../../dashboard/parts/time.ts";
import { parametersOf } from "../../../dashboard/shell/path-pattern.ts";

const now = Date.UTC(2026, 10, 23, 12);
const s = 1000;

test.each([
  [-2 * s, "now"],
  [-42 * s, "42 sec. ago"],
  [-3 * 60 * s, "3 min. ago"],
  [90 * 60 * s, "in 2 hr."],
  [-24 * 3600 * s, "yesterday"],
  [-5 * 86_400 * s, "5 days ago"],
  [-40 * 86_400 * s, "Oct 14, 2026"],
])("a time %i ms from now reads %s", (distance, words) => {
  expect(relative(new Date(now + distance), now)).toBe(words);
});

test.each([
  [0.25, "250 ms"],
  [41, "41 s"],
  [60, "1 min"],
  [83, "1 min 23 s"],
  [7500, "2 h 5 min"],
])("a duration of %d seconds reads %s", (seconds, words) => {
  expect(duration(seconds)).toBe(words);
});

test.each([
  [1, "1 key"],
  [0, "0 keys"],
  [12_345, "12,345 keys"],
])("a count of %i reads %s", (value, words) => {
  expect(plural(value, "key")).toBe(words);
});

test.each([
  ["/", "/", {}],
  ["/keys", "/keys", {}],
  ["/keys", "/keys/a", undefined],
  ["/crawls/:id", "/crawls/crw_1", { id: "crw_1" }],
  ["/crawls/:id", "/crawls/a%2Fb", { id: "a/b" }],
  ["/crawls/:id", "/crawls", undefined],
  ["/crawls/:id", "/crawls/%", undefined],
])("the pattern %s gives the parameters of %s", (pattern, path, parameters) => {
  expect(parametersOf(pattern, path)).toEqual(parameters);
});
