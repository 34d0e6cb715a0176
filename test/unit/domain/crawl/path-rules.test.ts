import { compileWildcards } from "../../../../services/domain/crawl/path-rules.ts";

const forbid = (path: string) => ({ path, isAllowed: false });

test("a character of a path costs a word for 32 characters of rules, whatever they are", () => {
  const rule = `/${"*a".repeat(1000)}b`;
  const wildcards = compileWildcards(Array.from({ length: 8 }, () => forbid(rule)));
  expect(wildcards.words).toBe(Math.ceil((8 * (1002 + 1)) / 32));
  expect(wildcards.verdictOn(`/${"a".repeat(2000)}`)).toBeUndefined();
  expect(wildcards.verdictOn(`/${"a".repeat(2000)}b`)).toEqual({ length: rule.length, isAllowed: false });
});

test("rules that end at the borders of words do not run into one another", () => {
  for (let length = 28; length < 36; length += 1) {
    const path = `/*${"a".repeat(length)}`;
    const wildcards = compileWildcards([forbid(path), forbid("*b$"), { path: "/*c", isAllowed: true }]);
    const verdicts = [path.replace("*", "x"), "/xb", "/xbx", "/c", `/${"a".repeat(length - 1)}`].map(each =>
      wildcards.verdictOn(each),
    );
    expect(verdicts).toEqual([
      { length: path.length, isAllowed: false },
      { length: 3, isAllowed: false },
      undefined,
      { length: 3, isAllowed: true },
      undefined,
    ]);
  }
});
