import {
  isOfDomains,
  questionsOf,
  searchAddress,
  wordsOf,
} from "../../../../services/domain/search/search-words.ts";

test.each([
  ["climate change", "search:climate+change"],
  ["  climate \n change ", "search:climate+change"],
  ['"C++ jobs" 100%', 'search:"C%2B%2B+jobs"+100%25'],
  ["search:climate+change", "search:climate+change"],
  ["100%2B", "search:100%252B"],
])("the address of %j is %s", (sid, address) => {
  expect(searchAddress(sid)).toBe(address);
  expect(address).not.toMatch(/\s/);
  expect(searchAddress(address)).toBe(address);
  if (!sid.startsWith("search:")) expect(wordsOf(address)).toBe(sid.trim().replace(/\s+/g, " "));
});

test("domains are asked for in groups, and each of them once", () => {
  expect(questionsOf("birds")).toEqual(["birds"]);
  expect(questionsOf("birds", ["Example.com"])).toEqual(["birds site:example.com"]);
  const domains = Array.from({ length: 23 }, (_, n) => `d${n}.example`);
  const questions = questionsOf("birds", domains);
  expect(questions).toHaveLength(3);
  expect(questions[0]).toMatch(/^birds \(site:d0\.example OR site:d1\.example OR /);
  expect(questions.join(" ").match(/site:[\w.]+/g)).toEqual(domains.map(domain => `site:${domain}`));
});

test.each([
  ["https://example.com/a", true],
  ["https://docs.example.com/a", true],
  ["https://notexample.com/a", false],
  ["https://example.com.evil.test/a", false],
  ["nothing", false],
])("%s is of example.com: %s", (url, isOf) => {
  expect(isOfDomains(url, ["example.com"])).toBe(isOf);
  expect(isOfDomains(url)).toBe(true);
});
