import { jest } from "@jest/globals";
import { RE2JS } from "re2js";
import { openUrlFilter, type UrlFilter } from "../../../mixins/crawl/url-filter.ts";
import { urlPatterns } from "../../../services/domain/crawl/url-patterns.ts";

let filter: UrlFilter;

beforeAll(() => {
  filter = openUrlFilter();
});

afterAll(() => filter?.close());

const task = { group: "key_1", signal: new AbortController().signal };
const urls = Array.from({ length: 120 }, (_, at) => `https://site.example/docs/${at}/a.html`);

test.each([
  ["none", { include: [], exclude: [] }],
  ["a few globs", { include: ["/docs/**"], exclude: ["/docs/1*/*"] }],
  ["an expression", { include: ["/\\/[0-9]*[05]\\//"], exclude: ["/docs/2*/*"] }],
  ["many globs", { include: Array.from({ length: 100 }, (_, at) => `/**/${at * 2}/*.html`), exclude: [] }],
])("%s: the same as in this thread", async (_, patterns) => {
  const expected = urls.map(urlPatterns(patterns.include, patterns.exclude));
  expect(expected).toContain(true);
  expect(await filter.takes(patterns, urls, task)).toEqual(expected);
});

test("patterns at their limits are compiled and matched in a thread", async () => {
  let seed = 7;
  const letter = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return "abcd"[(seed >> 16) % 4];
  };
  const long = Array.from(
    { length: 3 },
    () => `https://site.example/${Array.from({ length: 2000 }, letter).join("")}`,
  );
  const include = Array.from({ length: 8 }, () => "/[ab].{0,120}[ab].{0,115}[xy]$/");
  const exclude = Array.from({ length: 92 }, (_, at) => `/**/${"a*".repeat(250)}${at}`);
  const compile = jest.spyOn(RE2JS, "compile");
  expect(await filter.takes({ include, exclude }, long, task)).toEqual([false, false, false]);
  expect(compile).not.toHaveBeenCalled();
  compile.mockRestore();
});

test("a few globs over many URLs leave turns to others, and end with the signal", async () => {
  const [patterns, abort] = [{ include: [`/**/${"a*".repeat(100)}b`], exclude: [] }, new AbortController()];
  const many = Array.from({ length: 20_000 }, (_, at) => `https://site.example/${"a".repeat(200)}/${at}`);
  setImmediate(() => abort.abort(new Error("It has ended.")));
  await expect(filter.takes(patterns, many, { ...task, signal: abort.signal })).rejects.toThrow(
    "It has ended.",
  );
});
