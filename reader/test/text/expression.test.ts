import { jest } from "@jest/globals";
import { RE2JS } from "re2js";
import { compileExpression, compileSchemaPattern } from "../../text/expression.ts";
import { sizeOf } from "../../text/expression-size.ts";
import { RequestBudget } from "../../text/request-budget.ts";

/** What people write, and a text in which it is found. */
const usual: [source: string, text: string, flags?: string][] = [
  ["^\\d{4}-\\d{2}-\\d{2}$", "2026-11-27"],
  [
    "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?Z$",
    "2026-11-27T10:00:00Z",
  ],
  ["^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$", "a.b@site.example"],
  ["^[^@\\s]{1,64}@[^@\\s]{1,255}$", "a@b"],
  [
    "^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
    "6f1f3a34-0000-4000-8000-000000000000",
  ],
  ["^[0-9a-fA-F]{64}$", "a".repeat(64)],
  ["^https?://[^\\s/$.?#].[^\\s]*$", "https://site.example/a"],
  ["^(25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}$", "127.0.0.1"],
  ["^([0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}$", "1:2:3:4:5:6:7:8"],
  ["^\\+?[1-9]\\d{1,14}$", "+4312345"],
  ["^\\(?\\d{3}\\)?[-. ]?\\d{3}[-. ]?\\d{4}$", "(555) 123-4567"],
  ["^#?([a-f0-9]{6}|[a-f0-9]{3})$", "#ffcc00"],
  ["^v?\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?$", "v1.2.3-rc.1+5"],
  ["^[a-z0-9]+(?:-[a-z0-9]+)*$", "a-slug-of-words"],
  ["^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$", "AT611904300234573201"],
  ["^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$", "DEUTDEFF500"],
  ["^(?:4\\d{12}(?:\\d{3})?|5[1-5]\\d{14})$", "4111111111111111"],
  ["^97[89][- ]?\\d{1,5}[- ]?\\d{1,7}[- ]?\\d{1,7}[- ]?\\d$", "978-3-16-148410-0"],
  ["^\\d{1,3}(,\\d{3})*(\\.\\d{2})?$", "1,234,567.89"],
  ["[$€£]\\s?\\d+(?:[.,]\\d{2})?", "only € 12,50"],
  ["^.{1,500}$", "some words"],
  ["^[\\s\\S]{1,900}$", "some\nwords"],
  ["^(.{0,30}\\n){0,20}$", "line\n"],
  ["^[\\p{L}\\p{N}\\p{P}\\p{Zs}]+$", "Grüße, Welt!"],
  ["\\p{Lu}\\p{Ll}+ \\p{Lu}\\p{Ll}+", "by Ada Lovelace"],
  ["^\\p{L}[\\p{L}'-]{0,99}$", "O'Neill", "i"],
  ["[\\p{Han}\\p{Hiragana}\\p{Katakana}]+", "東京"],
  ["[\\x{1F300}-\\x{1FAFF}]", "so 😀"],
  ["sold out|out of stock|ausverkauft|épuisé", "SOLD OUT", "i"],
  ["\\b(?:breaking|urgent|update)\\b", "An Update:", "i"],
  ["^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \\d{1,2}", "Nov 27", "i"],
  ["^\\s*$", ""],
  ["(?i)price[^\\d]{0,40}\\d+", "The Price is now 12"],
  ["(?P<year>\\d{4})/(?P<month>\\d{2})", "/2026/11/"],
  ["^/(?:docs|blog)/[^?#]+\\.html?$", "/docs/a/b.html"],
  ["/(page|p)/\\d+/?$", "/page/12"],
  ["[?&](?:utm_[a-z]+|fbclid|gclid)=", "/a?utm_source=x"],
  ["^CVE-\\d{4}-\\d{4,19}$", "CVE-2026-12345"],
  ["\\.(?:jpe?g|png|gif|webp|avif|svg|mp4|zip|pdf)$", "/a/b.jpeg"],
  ["\\Qa.b(c)\\E+", "a.b(c)))"],
  ["^[a-zA-Z_$][a-zA-Z0-9_$]*(?:\\.[a-zA-Z_$][a-zA-Z0-9_$]*)*$", "a.b_c"],
  ["^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$", "YWJj"],
];

/** What takes RE2 long to compile or to run. */
const hostile: string[] = [
  "a{0,999}".repeat(60),
  "a{1000}a{1000}",
  "(a{100}){11}",
  "((a{10}){10}){11}",
  "(((a{2}){9}){9}){9}",
  "(?:a{0,999}|b{0,999})",
  "(a{500}|b)(c{501})",
  "(?:){1000}".repeat(50),
  "(?:|){0,1000}".repeat(40),
  "\\b{1000}".repeat(60),
  "^{1000}a{1000}$",
  "(?:abc){900}",
  `(${"a".repeat(400)}){9}`,
  "[a-z]{1,1000}[a-z]{1,1000}",
  "(x+x+){600}",
  "(?:a?){999}(?:a){999}",
  ".{999}.{999}",
  "(.*){1000}.{9}",
  "(a|b|c|d|e){500}",
  "(?i)(?:k{0,700}s{0,700})",
  "a{3,}{400}",
  "(?:a{2,}){900}",
  "(a{0,40}){40}",
  "((a{1,10}){1,10}){1,20}",
  "\\p{L}{1000}\\p{N}{9}",
  "\\pL".repeat(250),
  `(?i)${"\\pL".repeat(250)}`,
  `[${"\\pL".repeat(160)}]`,
  `[^${"\\PL\\pN".repeat(80)}]`,
  Array.from({ length: 200 }, () => "\\pL").join("|"),
  "(?i)[\\p{L}\\p{N}\\p{S}]".repeat(8),
  "(".repeat(300) + ")".repeat(300),
  `${"(?:".repeat(200)}a${")*".repeat(200)}`,
  `${"(?:".repeat(200)}a${")+".repeat(200)}`,
  `${"(?:".repeat(100)}a${")?".repeat(100)}`,
  `${"(?:".repeat(60)}a${"){1}".repeat(60)}`,
  "(?:a{2}".repeat(60) + ")".repeat(60),
  "(?P<n>(?P<m>a{40}){40})",
  "x{2}y{999}",
  "(?s:(?i:(?m:.{600})){2})",
  "\\Q{{{{\\E{1000}a{5}",
  "[]a]{1000}[^]a]{1000}",
  `(?i)[${"B-\u{1e942}".repeat(125)}]`,
  `(?i)[${"\\x{42}-\\x{1e942}".repeat(30)}]`,
  `(?i)[${"\\x41-\\x{1e942}".repeat(30)}]`,
  `(?i)[${"\\102-\u{1e942}".repeat(30)}]`,
  `(?i)[${"\\t-\u{1e942}".repeat(30)}]`,
  `(?i)${"[^\\]-\u{1e942}]".repeat(30)}`,
  `(?i)[${"\\d--\u{1e942}".repeat(30)}]`,
  `(?i:${"[[:digit:]--\u{1e942}]".repeat(30)})`,
];

describe("before an expression is compiled", () => {
  test.each(usual)("%s is taken", (source, text, flags = "") => {
    const budget = new RequestBudget();
    expect(compileExpression(source, { flags, budget }).test(text)).toBe(true);
  });

  test.each(hostile)("%.60s is refused, and the compiler is not called", source => {
    const compile = jest.spyOn(RE2JS, "compile");
    try {
      expect(() => compileExpression(source, { budget: new RequestBudget() })).toThrow(RangeError);
      expect(() => compileSchemaPattern(source, new RequestBudget())).toThrow(RangeError);
      expect(compile).not.toHaveBeenCalled();
    } finally {
      compile.mockRestore();
    }
  });

  test("at least forty of each are there", () => {
    expect([usual.length, hostile.length].every(count => count >= 40)).toBe(true);
  });
});

test.each([
  ["[a-z0-9]", 26],
  ["[A-Za-z]", 52],
  ["[]-\u{1e942}]", 0x1e942 - 0x5d + 1],
  ["[^\\x00-\\x7f]", 63],
  ["[\\x{0}-\\x{10ffff}]", 0],
  ["[a-]", 0],
])("the cases of %s are looked up for %d characters", (source, foldedCharacters) => {
  expect(sizeOf(source, true)).toMatchObject({ foldedCharacters });
  expect(sizeOf(source)).toMatchObject({ foldedCharacters: 0 });
});

test("the expressions of a request have one budget", () => {
  const budget = new RequestBudget();
  const compile = jest.spyOn(RE2JS, "compile");
  const each = () => compileExpression("[a-z]{900}", { budget });
  for (let at = 0; at < 5; at++) each();
  expect(each).toThrow("The selectors and expressions of this request are too large together.");
  expect(compile).toHaveBeenCalledTimes(5);
  compile.mockRestore();
});

test.each([
  ["a(", "This is not a regular expression that RE2 can run: missing closing ): `a(`."],
  ["(?=a)", /look|Perl syntax/],
  ["a{2000}", "Its counted repetitions come to more than 1000 in all."],
])("%s: %s", (source, message) => {
  expect(() => compileExpression(source, { budget: new RequestBudget() })).toThrow(message);
});

test("a flag that RE2 does not have is named", () => {
  expect(() => compileExpression("a", { flags: "ig" })).toThrow("The flag g is not one of i, m and s.");
});

const parts = [
  ..."abz019.^$|()[]{}*+?-,\\:=!<>P ",
  ...["\\d", "\\w", "\\b", "\\pL", "\\p{Greek}", "\\P{Lu}", "[a-z]", "[^x]", "[[:alpha:]]", "[\\pN-]", "[]]"],
  ...[
    "{2}",
    "{0,3}",
    "{3,}",
    "{1,20}",
    "{0}",
    "(?:",
    "(?i)",
    "(?i:",
    "(?P<n>",
    "\\Qa{9}\\E",
    "\\x{e9}",
    "\\x41",
    "😀",
  ],
];

test("no program is larger than what is counted", () => {
  let [seed, compiled] = [7, 0];
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let round = 0; round < 30_000; round++) {
    const source = Array.from({ length: 1 + next(12) }, () => parts[next(parts.length)]).join("");
    let size: number;
    try {
      size = RE2JS.compile(source).programSize();
    } catch {
      continue;
    }
    compiled += 1;
    if (sizeOf(source).instructions < size)
      expect([source, size]).toEqual([source, sizeOf(source).instructions]);
  }
  expect(compiled).toBeGreaterThan(3000);
});
