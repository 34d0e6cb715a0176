/** What a part of code is. */
export type CodeKind = "plain" | "comment" | "string" | "number" | "keyword" | "name";
/** The parts together are the code. */
export type CodePart = [kind: CodeKind, text: string];

const quoted = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const number = String.raw`(?<number>\b\d[\w.]*)`;
const words = (...names: string[]) => String.raw`(?<keyword>\b(?:${names.join("|")})\b)`;

const json = String.raw`(?<name>"(?:[^"\\\n]|\\.)*"(?=[ \t]*:))|(?<string>"(?:[^"\\\n]|\\.)*")|(?<number>-?\b\d[\d.eE+-]*)|${words("true", "false", "null")}`;

const shell = String.raw`(?<comment>(?<!\S)#.*)|(?<string>'[^']*'|"(?:[^"\\]|\\[^])*")|(?<name>\$(?:\w+|\{[^}]*\}))|(?<keyword>(?<!\S)--?[A-Za-z][\w-]*)`;

const script = [
  String.raw`(?<comment>\/\/.*|\/\*[^]*?\*\/)`,
  String.raw`(?<string>${quoted}|\x60(?:[^\x60\\]|\\[^])*\x60)`,
  number,
  words(
    ...[
      "async",
      "await",
      "break",
      "case",
      "catch",
      "class",
      "const",
      "continue",
      "else",
      "export",
      "false",
      "for",
    ],
    ...["from", "func", "function", "if", "import", "in", "let", "new", "nil", "null", "of", "return"],
    ...["throw", "true", "try", "typeof", "undefined", "var", "void", "while"],
  ),
].join("|");

const python = [
  "(?<comment>#.*)",
  `(?<string>"""[^]*?"""|${quoted})`,
  number,
  words(
    ...[
      "and",
      "as",
      "async",
      "await",
      "class",
      "def",
      "elif",
      "else",
      "except",
      "False",
      "finally",
      "for",
      "from",
    ],
    ...[
      "if",
      "import",
      "in",
      "is",
      "lambda",
      "None",
      "not",
      "or",
      "pass",
      "raise",
      "return",
      "True",
      "try",
      "while",
    ],
    ...["with", "yield"],
  ),
].join("|");

const patterns = new Map<string, RegExp>();
for (const [pattern, ...languages] of [
  [json, "json"],
  [shell, "sh", "curl"],
  [script, "js", "ts", "go", "TypeScript"],
  [python, "python", "Python"],
] as [string, ...string[]][])
  for (const language of languages) patterns.set(language, new RegExp(pattern, "g"));

/** Longer text is not looked at. */
const longest = 100_000;

/** The parts of code, to be shown in colours; one plain part where the language is not known. */
export function codeParts(text: string, language: string): CodePart[] {
  const pattern = patterns.get(language);
  if (!pattern || text.length > longest) return text === "" ? [] : [["plain", text]];
  const parts: CodePart[] = [];
  let end = 0;
  for (const { index, 0: part, groups = {} } of text.matchAll(pattern)) {
    if (index > end) parts.push(["plain", text.slice(end, index)]);
    const kind = Object.keys(groups).find(name => groups[name] !== undefined) as CodeKind;
    parts.push([kind, part]);
    end = index + part.length;
  }
  if (end < text.length) parts.push(["plain", text.slice(end)]);
  return parts;
}
