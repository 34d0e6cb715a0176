import fc from "fast-check";
import { tdmRules } from "../../../../services/domain/crawl/tdmrep.ts";

const rules = [
  { location: "/", "tdm-reservation": 1, "tdm-policy": "https://site.example/policy.json" },
  { location: "/open/", "tdm-reservation": 0 },
  { location: "/open/*/closed", "tdm-reservation": 1 },
  { location: "/open/a.pdf$", "tdm-reservation": "1" },
  { location: "/münchen", "tdm-reservation": 0 },
  { location: "/open/silent", "tdm-reservation": 2, "tdm-policy": 7 },
];
const said = (text: string, path: string) =>
  tdmRules(text)(`https://site.example${path}`).map(({ name, value }) => `${name}: ${value}`);

test.each<[path: string, statements: string[]]>([
  ["/", ["tdm-reservation: 1", "tdm-policy: https://site.example/policy.json"]],
  ["/open/b", ["tdm-reservation: 0"]],
  ["/open/b/closed/c", ["tdm-reservation: 1"]],
  ["/open/a.pdf", ["tdm-reservation: 1"]],
  ["/open/a.pdf?x", ["tdm-reservation: 0"]],
  ["/m%C3%BCnchen", ["tdm-reservation: 0"]],
  ["/open/silent", []],
])("of the locations of a tdmrep.json the longest that fits counts: %s", (path, statements) => {
  expect(said(JSON.stringify(rules), path)).toEqual(statements);
});

test("what is no list of locations says nothing, and rules without end are read as far as they count", () => {
  for (const text of ["", "<html>", "{}", "null", '[null,1,"/",{"location":7},{"location":"https://x"}]'])
    expect(said(text, "/")).toEqual([]);
  const wild = { location: `/${"*a".repeat(100)}`, "tdm-reservation": 1 };
  expect(said(JSON.stringify(Array(10_000).fill(wild)), `/${"a".repeat(2000)}`)).toEqual([]);
  fc.assert(
    fc.property(fc.json(), text => {
      expect(Array.isArray(said(text, "/a"))).toBe(true);
    }),
  );
});
