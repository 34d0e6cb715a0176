import { readRtf } from "../../document/read-rtf.ts";
import { failureOf, markdownOf, readAs } from "./markdown-of.ts";

const head =
  "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fnil Times;}{\\f1\\fnil\\fcharset204 Arial;}{\\f2\\fnil\\fcharset128 Gothic;}}{\\stylesheet{\\s0 Normal;}{\\s1 heading 1;}{\\s2 heading 2;}{\\s9 Quote;}}";
const rtf = (body: string) => Buffer.from(`${head}${body}}`, "latin1");

test.each([
  ["paragraphs", "\\pard One.\\par\nTwo.\\par", "One.\n\nTwo."],
  [
    "headings by their styles",
    "\\pard\\s1\\b Rivers\\b0\\par\\pard\\s2 North\\par\\pard Cold.\\par",
    "# Rivers\n\n## North\n\nCold.",
  ],
  ["a quotation", "\\pard\\s9 One.\\par\\pard\\s9 Two.\\par", "> One.\n>\n> Two."],
  ["emphasis", "\\pard a {\\b deep} and {\\i cold} {\\strike old}\\par", "a **deep** and *cold* ~~old~~"],
  [
    "Unicode with what stands in its place",
    "\\pard\\uc1 \\u8364?5 and \\uc2\\u-10179\\'3f\\'3f\\u-8704\\'3f\\'3f.\\par",
    "€5 and 😀.",
  ],
  ["the code page of the document", "\\pard caf\\'e9 \\'80\\par", "café €"],
  [
    "the code page of a font",
    "\\pard {\\f1 \\'cf\\'f0\\'e8\\'e2\\'e5\\'f2} {\\f2 \\'93\\'fa\\'96\\'7b}\\par",
    "Привет 日本",
  ],
  ["signs", "\\pard \\ldblquote x\\rdblquote\\emdash y\\~z \\{a\\\\b\\}\\par", "“x”—y\u00a0z {a\\b}"],
  [
    "a link",
    '\\pard see {\\field{\\*\\fldinst{HYPERLINK "https://map.example/"}}{\\fldrslt{\\ul the map}}}.\\par',
    "see [the map](https://map.example/).",
  ],
  [
    "a link to a file",
    '\\pard see {\\field{\\*\\fldinst HYPERLINK "file:///etc/passwd"}{\\fldrslt it}}.\\par',
    "see it.",
  ],
  [
    "bullets",
    "\\pard{\\pntext\\f1\\'b7\\tab}\\ls1 One\\par{\\pntext\\f1\\'b7\\tab}\\ls1\\ilvl1 Half\\par\\pard Then.\\par",
    "- One\n  - Half\n\nThen.",
  ],
  [
    "numbers",
    "{\\listtext 1.\\tab}\\pard\\ls1 One\\par{\\listtext 2.\\tab}\\pard\\ls1 Two\\par",
    "1. One\n2. Two",
  ],
  [
    "marks that are typed",
    "\\pard\\li360\\fi-360 \\bullet\\tab One\\par\\pard\\li720\\fi-360 \\endash\\tab Half\\par",
    "- One\n  - Half",
  ],
  [
    "a table",
    "\\trowd\\pard\\intbl Town\\cell People\\cell\\row\\trowd\\pard\\intbl Upford\\cell 1 | 2\\cell\\row\\pard After.\\par",
    "| Town | People |\n| --- | --- |\n| Upford | 1 \\| 2 |\n\nAfter.",
  ],
  ["a note", "\\pard A fact{\\footnote\\pard Its source.}.\\par", "A fact[^1].\n\n[^1]: Its source."],
  [
    "pictures, headers and what is hidden left out",
    "{\\header\\pard Secret\\par}{\\*\\shppict{\\pict\\pngblip 89504e47}}{\\pict\\bin4 {{{{}\\pard Kept {\\v hidden}text.\\par{\\*\\unknown gone}",
    "Kept text.",
  ],
])("%s", async (_name, body, markdown) => {
  expect(await markdownOf(rtf(body))).toBe(markdown);
});

test("what the document says of itself is metadata", async () => {
  const info =
    "{\\info{\\title Rivers}{\\author Ann Author}{\\creatim\\yr2026\\mo1\\dy31\\hr12}}\\pard Text.\\par";
  expect(await readAs(rtf(info), "text/rtf")).toMatchObject({
    title: "Rivers",
    author: "Ann Author",
    published_time: "2026-01-31",
  });
});

test.each([
  "application/rtf",
  "text/rtf",
  "text/plain",
  "application/msword",
  "application/octet-stream",
  "",
])("sent as %j", async contentType => {
  expect(await markdownOf(rtf("\\pard Text.\\par"), contentType)).toBe("Text.");
});

test("hostile documents end", async () => {
  expect(await failureOf(Buffer.from(`{\\rtf1 ${"{".repeat(100_000)}`))).toBe("broken");
  expect(readRtf(Buffer.from("{\\rtf1 }}}} after"))).not.toContain("after");
  expect(readRtf(Buffer.from("{\\rtf1\\bin99999999999 x\\u99999999999999999999?"))).toContain("<body>");
  expect(readRtf(rtf(`\\pard ${"\\b x\\b0 y".repeat(50_000)}\\par`)).length).toBeGreaterThan(500_000);
  const rows = readRtf(rtf("\\trowd\\intbl a\\cell\\row ".repeat(6000)));
  expect(rows.match(/<tr>/g)).toHaveLength(5000);
  expect(await failureOf(Buffer.from("no RTF"), "application/rtf")).toBe("broken");
});
