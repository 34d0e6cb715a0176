import { xlsx, zip } from "../../../test/support/office.ts";
import { DocumentError, orBroken } from "../../document/broken-document.ts";
import { readCsv, readXlsx } from "../../document/read-sheets.ts";
import { extractPage } from "../../page/extract-page.ts";

const wanted = { formats: ["markdown" as const, "links" as const], onlyMainContent: false };

const digest = (html: string) => extractPage({ html, url: "https://site.example/" }, wanted);
const markdownOf = (html: string) => digest(html).markdown?.trim();

describe("CSV", () => {
  const towns = "| Town | People |\n| --- | --- |\n| Upford | 1200 |";
  test.each([
    ["commas", "Town,People\nUpford,1200\n", towns],
    ["semicolons", "Town;People\r\nUpford;1200\r\n", towns],
    ["tabs", "Town\tPeople\nUpford\t1200", towns],
    ["bars", "Town|People\nUpford|1200", towns],
    ["a delimiter that is named", "sep=~\r\nTown~People\r\nUpford~1200", towns],
    ["empty lines", "\nTown,People\n\n\nUpford,1200\n,\n", towns],
    [
      "quotes, with delimiters and lines inside",
      'a,b\n"x, ""y""","1\n2"',
      '| a | b |\n| --- | --- |\n| x, "y" | 1<br>2 |',
    ],
    ["characters of Markdown", "a,b\n*x*|y,<b>", "| a | b |\n| --- | --- |\n| \\*x\\*\\|y | \\<b> |"],
    [
      "rows of different lengths",
      "a,b\n1\n1,2,3",
      "| a | b |  |\n| --- | --- | --- |\n| 1 |  |  |\n| 1 | 2 | 3 |",
    ],
    ["columns without any text", "a,,b\n1,,2", "| a | b |\n| --- | --- |\n| 1 | 2 |"],
    ["a quote that is never closed", 'a,b\n"x,2\n3,4', "| a | b |\n| --- | --- |\n| x,2<br>3,4 |  |"],
  ])("%s", (_name, text, markdown) => {
    expect(markdownOf(readCsv(text) ?? "")).toBe(markdown);
  });

  test("a comma is no delimiter where tabs are declared", () => {
    expect(markdownOf(readCsv("a\tb\n1,5\t2,5", "\t") ?? "")).toBe("| a | b |\n| --- | --- |\n| 1,5 | 2,5 |");
  });

  test.each(["", "only\none\ncolumn", "a text in prose."])("%j is no table", text => {
    expect(readCsv(text)).toBeUndefined();
  });

  test("the rows that are left out are counted", () => {
    const markdown = markdownOf(readCsv(`a,b\n${"1,2\n".repeat(7000)}`) ?? "") ?? "";
    expect(markdown.match(/^\| 1 \| 2 \|$/gm)).toHaveLength(4999);
    expect(markdown).toMatch(/\n\nThe first 5000 of 7001 rows are shown\.$/);
  });

  test("the columns that are left out are counted", () => {
    const markdown = markdownOf(readCsv(`${"a,".repeat(300)}z\n${"1,".repeat(300)}2`) ?? "") ?? "";
    expect(markdown).toMatch(/\n\nThe first 200 columns are shown\.$/);
  });

  test.each([
    ["quotes", '"'.repeat(1_000_000)],
    ["open quotes", 'a,"b\n'.repeat(100_000)],
    ["delimiters", ",".repeat(1_000_000)],
    ["lines", "a,b\n".repeat(300_000)],
    ["cells", `${"1,".repeat(150)}\n`.repeat(5000)],
  ])("many %s stay bounded", (_name, text) => {
    const html = readCsv(text) ?? "";
    expect(html.length).toBeLessThan(20 * text.length);
  });
});

describe("XLSX", () => {
  const cell = (address: string, value: string, more = "") => `<c r="${address}" ${more}><v>${value}</v></c>`;
  const data = (...rows: string[]) =>
    `<sheetData>${rows.map(row => `<row>${row}</row>`).join("")}</sheetData>`;
  const strings = "<si><t>Town</t></si><si><r><t>Up</t></r><r><t>ford</t></r><rPh><t>x</t></rPh></si>";
  const styles =
    '<numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd hh:mm"/><numFmt numFmtId="171" formatCode="[Red]0.0&quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="20"/></cellXfs>';
  const read = (sheets: Record<string, string>, more = {}) =>
    readXlsx(xlsx({ sheets, strings, styles, more }));

  test.each([
    [
      "shared strings",
      data(cell("A1", "0", 't="s"') + cell("B1", "1", 't="s"')),
      "| Town | Upford |\n| --- | --- |",
    ],
    [
      "texts of its own, and of a formula",
      data('<c r="A1" t="inlineStr"><is><t>a &amp; b</t></is></c><c r="B1" t="str"><f>X()</f><v>c</v></c>'),
      "| a & b | c |\n| --- | --- |",
    ],
    [
      "numbers, dates, times, percents",
      data(
        `${cell("A1", "0.30000000000000004")}${cell("B1", "46053", 's="1"')}${cell("C1", "0.125", 's="2"')}${cell("D1", "46053.5", 's="3"')}${cell("E1", "7", 's="4"')}${cell("F1", "0.75", 's="5"')}`,
      ),
      "| 0.3 | 2026-01-31 | 12.5% | 2026-01-31 12:00 | 7 | 18:00 |\n| --- | --- | --- | --- | --- | --- |",
    ],
    [
      "truths, errors, and what is none of these",
      data(
        `${cell("A1", "1", 't="b"')}${cell("B1", "#DIV/0!", 't="e"')}${cell("C1", "x")}${cell("D1", "9", 't="s"')}${cell("E1", "1", 's="99"')}`,
      ),
      "| TRUE | #DIV/0! | x | 1 |\n| --- | --- | --- | --- |",
    ],
    [
      "gaps",
      data(cell("B2", "1") + cell("D2", "2"), "", cell("D4", "3")),
      "| 1 | 2 |\n| --- | --- |\n|  | 3 |",
    ],
    ["cells without addresses", data("<c><v>1</v></c><c><v>2</v></c>"), "| 1 | 2 |\n| --- | --- |"],
    ["nothing", "<sheetData/>", ""],
  ])("%s", (_name, sheet, markdown) => {
    expect(markdownOf(read({ One: sheet }))).toBe(markdown);
  });

  test("each visible sheet has its name", () => {
    const html = read({
      First: data(cell("A1", "1")),
      ".hidden": data(cell("A1", "2")),
      "A &amp; B": data(cell("A1", "3")),
      Empty: data(),
    });
    expect(markdownOf(html)).toBe("## First\n\n| 1 |\n| --- |\n\n## A & B\n\n| 3 |\n| --- |");
    expect(digest(html).title).toBe("First");
  });

  test("a long text in many cells: the rows that have room are shown", () => {
    const strings = `<sst><si><t>${"long ".repeat(8000)}</t></si></sst>`;
    const rows = Array.from({ length: 2000 }, (_, n) => cell(`A${n + 1}`, "0", 't="s"'));
    const html = readXlsx(xlsx({ sheets: { Long: data(...rows) }, strings }));
    expect(html.length).toBeLessThan(5 * 1024 * 1024);
    expect(html).toMatch(/The first 1\d\d of 2000 rows are shown\./);
  });

  test("links of cells", () => {
    const links = '<hyperlinks><hyperlink ref="A1" r:id="l"/><hyperlink ref="B1" r:id="bad"/></hyperlinks>';
    const sheet = `${data(cell("A1", "1") + cell("B1", "2"))}${links}`;
    const rels =
      '<Relationships><Relationship Id="l" Target="https://a.example/?x=1&amp;y" TargetMode="External"/><Relationship Id="bad" Target="javascript:x" TargetMode="External"/></Relationships>';
    const html = read({ One: sheet }, { "xl/worksheets/_rels/sheet1.xml.rels": rels });
    expect(digest(html).links).toEqual(["https://a.example/?x=1&y"]);
  });

  test("names with a prefix", () => {
    const sheets = { One: '<x:sheetData><x:row><x:c r="A1"><x:v>5</x:v></x:c></x:row></x:sheetData>' };
    expect(markdownOf(readXlsx(xlsx({ sheets, prefix: "x:" })))).toBe("| 5 |\n| --- |");
  });

  test("rows that are left out are counted, far cells make no columns", () => {
    const rows = Array.from({ length: 6000 }, (_, at) => cell(`A${at + 1}`, "1") + cell(`XFD${at + 1}`, "2"));
    const markdown = markdownOf(read({ One: data(...rows) })) ?? "";
    expect(markdown.split("\n", 1)).toEqual(["| 1 |"]);
    expect(markdown).toMatch(/The first 5000 of 6000 rows are shown\.\n\nThe first 200 columns are shown\.$/);
  });

  test("a sheet with far cells only says so", () => {
    expect(markdownOf(read({ One: data(cell("XFD1", "1")) }))).toBe("The first 200 columns are shown.");
  });

  test.each([
    ["cut off", xlsx({ sheets: { One: data(cell("A1", "1")) } }).subarray(0, 300)],
    ["too large", zip({ "xl/workbook.xml": " ".repeat(70_000_000) })],
  ])("a document %s is an error of the site", async (_name, body) => {
    const error: unknown = await orBroken(() => readXlsx(body)).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DocumentError);
    expect(error).toMatchObject({ code: "broken" });
  });

  test.each([
    ["XML that breaks off", { "xl/worksheets/sheet1.xml": "<worksheet><sheetData><row><c r='A1'><v>1" }],
    [
      "wrong addresses",
      { "xl/worksheets/sheet1.xml": data(cell("A99999999999", "1") + cell("-", "2") + cell("ZZZZ1", "3")) },
    ],
    ["targets that are none", { "xl/_rels/workbook.xml.rels": '<R><R Id="s0" Target="http://["/></R>' }],
  ])("%s is read past", (_name, more) => {
    expect(typeof read({ One: data(cell("A1", "1")) }, more)).toBe("string");
  });
});
