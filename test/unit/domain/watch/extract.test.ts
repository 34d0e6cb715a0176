import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { checkJsonPath, evaluateJsonPath } from "../../../../reader/structured/json-path.ts";
import { parseStructured } from "../../../../reader/structured/parse-structured.ts";
import { RequestBudget } from "../../../../reader/text/request-budget.ts";
import { checkView } from "../../../../services/domain/watch/check-view.ts";
import { judge, type Memory } from "../../../../services/domain/watch/judge.ts";
import { takeSnapshot } from "../../../../services/domain/watch/snapshot.ts";
import type { View } from "../../../../services/domain/watch/view.ts";

interface Case {
  name: string;
  selector: string;
  document?: unknown;
  result?: unknown[];
  results?: unknown[][];
  invalid_selector?: boolean;
}

const suite = join(
  dirname(createRequire(import.meta.url).resolve("jsonpath-rfc9535/package.json")),
  "src/__tests__/jsonpath-compliance-test-suite/cts.json",
);
const { tests } = JSON.parse(readFileSync(suite, "utf8")) as { tests: Case[] };

test("all cases of the compliance suite of RFC 9535 hold, with expressions of RE2", () => {
  const wrong = tests.filter(
    ({ selector, document, result, results, invalid_selector: isInvalid = false }) => {
      if ((checkJsonPath(selector, new RequestBudget(100_000)) !== null) !== isInvalid) return true;
      if (isInvalid) return false;
      const found = JSON.stringify(evaluateJsonPath(selector, document).map(({ value }) => value));
      return !(result ? [result] : (results ?? [])).some(each => JSON.stringify(each) === found);
    },
  );
  expect(tests.length).toBeGreaterThan(600);
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

const pageOf = (text: string, essence = "application/json") => ({
  ...{ html: "", url: "https://api.example/", title: "" },
  source: { text, holds: parseStructured(essence, { text }) },
});

function seen(text: string, view: View, essence?: string) {
  const snapshot = takeSnapshot(pageOf(text, essence), view);
  if (!snapshot.ok) throw new Error(snapshot.reason);
  return snapshot;
}

function change(before: string, after: string, view: View) {
  const memory: Memory = judge(undefined, seen(before, view), view, 0).memory;
  return judge(memory, seen(after, view), view, 60_000);
}

const all: View = { extract: { json_path: ["$"] } };

test("the order of keys and of entries with ids, white space and the spelling of numbers make no event", () => {
  const before = '{"items":[{"id":7,"price":10.0},{"id":8,"price":100}],"n":1}';
  const after = '{ "n": 1.0, "items": [\n{"price":1e2,"id":8},{"price":10,"id":7}]}';
  expect(change(before, after, all)).toMatchObject({ outcome: "same" });
});

test("changed values are told by their paths, entries by their ids", () => {
  const before = '{"items":[{"id":7,"price":10},{"id":8,"price":20}],"tags":["a"]}';
  const after = '{"items":[{"id":9,"price":5},{"id":7,"price":12},{"id":8,"price":20}],"tags":["b","a"]}';
  expect(change(before, after, all).change?.fields).toEqual({
    "items[id=7].price": { from: 10, to: 12 },
    "items[id=9].id": { from: null, to: 9 },
    "items[id=9].price": { from: null, to: 5 },
    tags: { from: ["a"], to: ["b", "a"] },
  });
});

test("an empty list is a state, and whole numbers beyond those of JavaScript differ", () => {
  expect(change("[]", '[{"id":1}]', all).change?.fields).toEqual({
    document: { from: [], to: null },
    "[id=1].id": { from: null, to: 1 },
  });
  const big = change('{"a":12345678901234567890}', '{"a":12345678901234567891}', all);
  expect(big.change?.fields).toEqual({ a: { from: "12345678901234567890", to: "12345678901234567891" } });
});

test("a number is the first that is extracted, and crosses its limit", () => {
  const view: View = { extract: { json_path: ["$.items[?@.id==7].price"] }, when: { value: { below: 10 } } };
  const { change: made } = change(
    '{"items":[{"id":7,"price":12}]}',
    '{"items":[{"id":7,"price":"9.50"}]}',
    view,
  );
  expect(made?.value).toEqual({ from: 12, to: 9.5 });
});

test.each([
  [
    "<Project><PropertyGroup><Version>1.2</Version></PropertyGroup></Project>",
    "//Version",
    "/Project/PropertyGroup/Version",
    "1.2",
  ],
  ['<Project xmlns="urn:m"><Version>2</Version></Project>', "//Version", "/Project/Version", "2"],
  [
    '<Project xmlns="urn:m"><Version>2</Version></Project>',
    '//*[local-name()="Version"]',
    "/Project/Version",
    "2",
  ],
  ['<r xmlns:dc="urn:dc"><dc:Date>3</dc:Date><Date>4</Date></r>', "//dc:Date", "/r/dc:Date", "3"],
  ['<r><a n="5"/></r>', "/r/a/@n", "/r/a/@n", "5"],
  ["<r><a/><a/></r>", "count(//a)", "count(//a)", "2"],
])("%s by %s", (xml, path, at, value) => {
  expect(seen(xml, { extract: { xpath: [path] } }, "text/plain").fields).toEqual({ [at]: value });
});

test("what finds nothing says so", () => {
  expect(takeSnapshot(pageOf('{"a":1}'), { extract: { json_path: ["$.b"] } })).toEqual({
    ok: false,
    reason: "The path `$.b` finds nothing in this document.",
  });
  expect(takeSnapshot(pageOf("Hello"), all)).toMatchObject({
    ok: false,
    reason: expect.stringContaining("no JSON"),
  });
});

test("a schema reads the values of a JSON document", () => {
  const json = { schema: { type: "object", properties: { price: { type: "number" } } } };
  expect(seen('{"price":104,"items":[]}', { json }).fields).toEqual({ price: 104 });
  expect(change('{"price":104}', '{"price":99}', { json }).change?.fields).toEqual({
    price: { from: 104, to: 99 },
  });
});

test.each([
  [{ extract: { json_path: ["price"] } }, "options.extract.json_path.0"],
  [{ extract: { xpath: ["//["] } }, "options.extract.xpath.0"],
  [{ extract: {} }, "options.extract"],
  [{ extract: { json_path: ["$"] }, select: ["p"] }, "options.extract"],
])("%j names %s", (view, field) => {
  expect(checkView(view as View)?.field).toBe(field);
});
