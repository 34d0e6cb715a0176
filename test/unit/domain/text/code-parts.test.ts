import { codeParts } from "../../../../services/domain/text/code-parts.ts";

/** The parts that have a colour, each as `kind text`. */
const coloured = (text: string, language: string) =>
  codeParts(text, language)
    .filter(([kind]) => kind !== "plain")
    .map(([kind, part]) => `${kind} ${part}`);

test.each([
  [
    "json",
    '{"a": [-1.5e3, true], "b\\"": "x: \\"y"}',
    ['name "a"', "number -1.5e3", "keyword true", 'name "b\\""', 'string "x: \\"y"'],
  ],
  [
    "sh",
    "curl -sS 'a b' --head \"x: $K\" # it's",
    ["keyword -sS", "string 'a b'", "keyword --head", 'string "x: $K"', "comment # it's"],
  ],
  ["curl", "curl $URL/a#b-c \x24{X}", ["name $URL", "name \x24{X}"]],
  [
    "TypeScript",
    'const a = await b("//c", 12); // d "e"',
    ["keyword const", "keyword await", 'string "//c"', "number 12", 'comment // d "e"'],
  ],
  ["js", "`a \x24{b}\n` /* c\n */ newly", ["string `a \x24{b}\n`", "comment /* c\n */"]],
  ["Python", "import x # y\nz('#', None)", ["keyword import", "comment # y", "string '#'", "keyword None"]],
  ["python", '"""a\n"b" """ if_', ['string """a\n"b" """']],
  ["yaml", "a: 1 # b", []],
])("%s %j", (language, text, expected) => {
  expect(coloured(text, language)).toEqual(expected);
});

test.each(["json", "sh", "ts", "python", "yaml"])("parts of %s are the whole text", language => {
  const hard = "\"'`#/*\\\n $x \x24{ '''\"\"\" 12a -b // <b>&amp; \u{1f426}\n";
  for (let at = 0; at <= hard.length; at += 1) {
    const text = hard.slice(at) + hard.slice(0, at);
    expect(
      codeParts(text, language)
        .map(([, part]) => part)
        .join(""),
    ).toBe(text);
  }
});

test("long text is one part", () => {
  const text = '"a" '.repeat(50_000);
  expect(codeParts(text, "json")).toEqual([["plain", text]]);
  expect(codeParts("", "json")).toEqual([]);
});
