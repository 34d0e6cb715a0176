import { docx, paragraph, zip } from "../../../test/support/office.ts";
import { DocumentError, orBroken } from "../../document/broken-document.ts";
import { readDocx } from "../../document/read-docx.ts";
import { extractPage } from "../../page/extract-page.ts";

const wanted = { formats: ["markdown" as const, "links" as const], onlyMainContent: false };

async function read(document: Buffer) {
  const { html } = await readDocx(document);
  return extractPage({ html, url: "https://site.example/a.docx" }, wanted);
}

async function failureOf(document: Buffer): Promise<unknown> {
  const error: unknown = await orBroken(() => readDocx(document)).catch((caught: unknown) => caught);
  return error instanceof DocumentError ? error.code : error;
}

const run = (text: string, properties = "") =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
const row = (...cells: string[]) => `<w:tr>${cells.map(cell).join("")}</w:tr>`;

test.each([
  [
    "headings and paragraphs",
    `${paragraph("Rivers", { style: "H1" })}${paragraph("They run.")}${paragraph("North", { style: "H2" })}${paragraph("Cold.")}`,
    "# Rivers\n\nThey run.\n\n## North\n\nCold.",
  ],
  [
    "emphasis",
    paragraph(`${run("a ")}${run("deep", "<w:b/>")}${run(" and ")}${run("cold", "<w:i/>")}${run(" one")}`),
    "a **deep** and *cold* one",
  ],
  [
    "lists, nested",
    `${paragraph("Trout", { list: "1" })}${paragraph("of the north", { list: "1.1" })}${paragraph("Eel", { list: "1" })}${paragraph("then")}${paragraph("open", { list: "2" })}${paragraph("close", { list: "2" })}`,
    "- Trout\n  - of the north\n- Eel\n\nthen\n\n1. open\n2. close",
  ],
  [
    "a table",
    `<w:tbl>${row("Town", "People")}${row("Upford", "1 | 2")}</w:tbl>`,
    "| Town | People |\n| --- | --- |\n| Upford | 1 \\| 2 |",
  ],
  [
    "a link",
    paragraph(`${run("see ")}<w:hyperlink r:id="l1">${run("the map")}</w:hyperlink>`),
    "see [the map](https://map.example/?a=1&b=2)",
  ],
  ["characters of Markdown and HTML", paragraph("# *x* &lt;b&gt; [y](z)"), "\\# \\*x\\* \\<b> [y\\](z)"],
  ["no text", "", ""],
])("%s", async (_name, body, markdown) => {
  const document = docx(body, { links: { l1: "https://map.example/?a=1&amp;b=2" } });
  expect((await read(document)).markdown?.trim()).toBe(markdown);
});

test("what the document says of itself is metadata", async () => {
  const core =
    "<dc:title>Rivers &amp; lakes</dc:title><dc:creator>Ann Author</dc:creator><dcterms:created>2026-01-31T12:00:00Z</dcterms:created>";
  const document = docx(paragraph("Text"), { core });
  expect(await read(document)).toMatchObject({ title: "Rivers & lakes", author: "Ann Author" });
  expect((await readDocx(document)).html).toContain('content="2026-01-31T12:00:00Z"');
});

test("without a title, the first heading is the title", async () => {
  const document = docx(paragraph("Rivers &amp; lakes", { style: "H1" }));
  expect((await read(document)).title).toBe("Rivers & lakes");
});

test("files and addresses outside of the document are not opened", async () => {
  const picture =
    '<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:link="l1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>';
  const entity = '<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY big "bigbig">]>';
  const body = paragraph(`${run("before ")}${picture}${run(" after")}`);
  const plain = docx(body, { links: { l1: "file:///etc/passwd" } });
  expect((await read(plain)).markdown?.trim()).toBe("before after");
  const more = { "docProps/core.xml": `${entity}<a><dc:title>&file;&big;x</dc:title></a>` };
  const { html } = await readDocx(docx(paragraph("Text"), { more }));
  expect(html).not.toMatch(/root:|bigbig/);
});

test.each([
  ["cut off", docx(paragraph("Text")).subarray(0, 500)],
  ["without a body", zip({ "word/other.xml": "<x/>" })],
  ["of XML that breaks off", docx("", { more: { "word/document.xml": "<w:document><w:body>" } })],
  ["no archive", Buffer.from("PK\u0003\u0004 and nothing more")],
])("a document %s is an error of the site", async (_name, body) => {
  expect(await failureOf(body)).toBe("broken");
});

test("entities are not expanded", async () => {
  const entities = Array.from({ length: 12 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`);
  const type = `<!DOCTYPE d [<!ENTITY e0 "lol">${entities.join("")}]>`;
  const body = `<w:document><w:body>${paragraph("a &e12; b")}</w:body></w:document>`;
  const document = docx("", { more: { "word/document.xml": type + body } });
  expect(await failureOf(document)).toBe("broken");
});

test("neither depth nor length is a way out", async () => {
  const deep = `${"<w:sdt><w:sdtContent>".repeat(50_000)}${paragraph("x")}${"</w:sdtContent></w:sdt>".repeat(50_000)}`;
  expect(await failureOf(docx(deep))).toBe("broken");
  expect((await read(docx(paragraph("word").repeat(5000)))).markdown).toHaveLength(5000 * 6 - 2);
});

test.each([
  ["of paragraphs", 8, paragraph("One.") + paragraph("Two.") + paragraph("Three."), "<p>One.</p>"],
  [
    "of a table",
    12,
    `<w:tbl>${row("One.", "Two.")}${row("Three.", "Four.")}</w:tbl>`,
    "<table><tr><td><p>One.</p></td></tr></table>",
  ],
])("a document %s that is too long is read as far as the limit", async (_name, maxTags, body, beginning) => {
  const { html, isCut } = await readDocx(docx(body), maxTags);
  expect(isCut).toBe(true);
  expect(html).toContain(`<body>\n${beginning}\n</body>`);
  expect(await readDocx(docx(body), 1000)).toMatchObject({ isCut: false });
});

test("an archive that unpacks to too much is refused before it is unpacked", async () => {
  const bomb = docx("", { more: { "word/document.xml": " ".repeat(60_000_000) } });
  expect(bomb.length).toBeLessThan(200_000);
  const error: unknown = await readDocx(bomb).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: "broken", message: "The document is too large to be read." });
});

test("an archive that says less than it unpacks to gives no more than it says", async () => {
  const bomb = docx("", { more: { "word/document.xml": `<w:document>${" ".repeat(30_000_000)}` } });
  for (let at = bomb.indexOf("PK\u0001\u0002"); at >= 0; at = bomb.indexOf("PK\u0001\u0002", at + 4))
    if (bomb.readUInt32LE(at + 24) > 1_000_000) bomb.writeUInt32LE(100, at + 24);
  expect(await failureOf(bomb)).toBe("broken");
});
