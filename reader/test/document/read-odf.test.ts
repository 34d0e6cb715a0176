import { openDocumentFile } from "../../../test/support/office.ts";
import { readOdf } from "../../document/read-odf.ts";
import { failureOf, markdownOf, readAs } from "./markdown-of.ts";

const text = (body: string, more: { styles?: string; meta?: string; more?: Record<string, string> } = {}) =>
  openDocumentFile({ kind: "text", body, ...more });
const p = (content: string, style = "") =>
  `<text:p${style && ` text:style-name="${style}"`}>${content}</text:p>`;
const item = (content: string) => `<text:list-item>${content}</text:list-item>`;
const textStyle = (name: string, properties: string) =>
  `<style:style style:name="${name}" style:family="text"><style:text-properties ${properties}/></style:style>`;
const cells = (...contents: string[]) =>
  `<table:table-row>${contents.map(content => `<table:table-cell>${p(content)}</table:table-cell>`).join("")}</table:table-row>`;

describe("a text", () => {
  test.each([
    [
      "headings",
      '<text:h text:outline-level="1">Rivers</text:h><text:h text:outline-level="3">North</text:h>',
      "# Rivers\n\n### North",
    ],
    [
      "paragraphs, with blanks and breaks of their own",
      p('They<text:s text:c="2"/>run.<text:line-break/>Far.'),
      "They run.  \nFar.",
    ],
    [
      "emphasis by its style",
      p(
        'a <text:span text:style-name="T1">deep</text:span> and <text:span text:style-name="T2">cold</text:span> one',
      ),
      "a **deep** and *cold* one",
    ],
    [
      "a list in a list",
      `<text:list text:style-name="LN">${item(`${p("One")}<text:list>${item(p("Half"))}</text:list>`)}${item(p("Two"))}</text:list>`,
      "1. One\n   1. Half\n2. Two",
    ],
    [
      "bullets",
      `<text:list text:style-name="LB">${item(p("One"))}${item(p("Two"))}</text:list>`,
      "- One\n- Two",
    ],
    [
      "a table with a head",
      `<table:table><table:table-header-rows>${cells("Town", "People")}</table:table-header-rows>${cells("Upford", "1 | 2")}</table:table>`,
      "| Town | People |\n| --- | --- |\n| Upford | 1 \\| 2 |",
    ],
    [
      "a link",
      p('see <text:a xlink:href="https://map.example/">the map</text:a>'),
      "see [the map](https://map.example/)",
    ],
    ["a link to a file", p('see <text:a xlink:href="file:///etc/passwd">it</text:a>'), "see it"],
    ["a quotation", p("One.", "P1") + p("Two.", "Quotations"), "> One.\n>\n> Two."],
    [
      "code",
      p("a:", "Preformatted_20_Text") + p('<text:s text:c="2"/>b', "Preformatted_20_Text"),
      "```\na:\n  b\n```",
    ],
    [
      "what is said of a picture",
      p("<draw:frame><draw:image/><svg:desc>A mill at dusk</svg:desc></draw:frame>"),
      "*A mill at dusk*",
    ],
    [
      "a box of text",
      p("Before.<draw:frame><draw:text-box><text:p>In the box.</text:p></draw:text-box></draw:frame>"),
      "Before.\n\nIn the box.",
    ],
    [
      "deleted text and remarks left out",
      `<text:tracked-changes>${p("Gone.")}</text:tracked-changes>${p("Kept<office:annotation><text:p>Why?</text:p></office:annotation>.")}`,
      "Kept.",
    ],
    [
      "a note",
      p(
        "A fact<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Its source.</text:p></text:note-body></text:note>.",
      ),
      "A fact[^1].\n\n[^1]: Its source.",
    ],
  ])("%s", async (_name, body, markdown) => {
    const styles =
      textStyle("T1", 'fo:font-weight="bold"') +
      textStyle("T2", 'fo:font-style="italic"') +
      '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Quotations"/>';
    expect(await markdownOf(text(body, { styles }))).toBe(markdown);
  });

  test("formulas are TeX", async () => {
    const body = p(
      'So <draw:frame text:anchor-type="as-char"><draw:object xlink:href="./Object 1"/></draw:frame>.',
    );
    const math = '<math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup></math>';
    expect(await markdownOf(text(body, { more: { "Object 1/content.xml": math } }))).toBe("So $x^{2}$.");
  });

  test("what the document says of itself is metadata", async () => {
    const meta =
      "<dc:title>Rivers</dc:title><meta:initial-creator>Ann Author</meta:initial-creator><meta:creation-date>2026-01-31T12:00:00</meta:creation-date><dc:language>en</dc:language>";
    expect(await readAs(text(p("Text."), { meta }))).toMatchObject({
      title: "Rivers",
      author: "Ann Author",
      language: "en",
    });
  });
});

describe("a presentation", () => {
  const frame = (kind: string, content: string) =>
    `<draw:frame presentation:class="${kind}"><draw:text-box>${content}</draw:text-box></draw:frame>`;
  const page = (content: string, style = "dp1") =>
    `<draw:page draw:style-name="${style}">${content}</draw:page>`;

  test("slides have their titles, texts and notes; hidden ones are left out", async () => {
    const styles =
      '<style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
    const points = `<text:list text:style-name="LB">${item(p("North"))}</text:list>`;
    const notes = `<presentation:notes>${frame("notes", p("Say hello."))}</presentation:notes>`;
    const body =
      page(frame("outline", points) + frame("title", p("One")) + notes) +
      page(frame("title", p("Draft")), "dp2") +
      page(frame("title", p("Two")));
    const document = openDocumentFile({ kind: "presentation", body, styles });
    expect(await markdownOf(document)).toBe("## One\n\n- North\n\n> Say hello.\n\n***\n\n## Two");
  });
});

describe("a spreadsheet", () => {
  const cell = (type: string, value: string, shown: string, more = "") =>
    `<table:table-cell office:value-type="${type}" office:${type === "date" ? "date-" : ""}value="${value}" ${more}><text:p>${shown}</text:p></table:table-cell>`;
  const textCell = (shown: string, more = "") =>
    `<table:table-cell office:value-type="string" ${more}><text:p>${shown}</text:p></table:table-cell>`;
  const row = (...content: string[]) => `<table:table-row>${content.join("")}</table:table-row>`;
  const sheet = (name: string, rows: string, style = "ta1") =>
    `<table:table table:name="${name}" table:style-name="${style}">${rows}</table:table>`;
  const book = (body: string) =>
    openDocumentFile({
      ...{ kind: "spreadsheet", body },
      styles:
        '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>',
    });

  test("values are exact, dates are ISO, hidden sheets and remarks are left out", async () => {
    const first =
      row(textCell("Day"), textCell("Sum"), textCell("Share")) +
      row(
        cell("date", "2026-01-31T00:00:00", "31.01.26"),
        cell("float", "1234.567", "1,234.6"),
        cell("percentage", "0.25", "25 %"),
      ) +
      row(textCell("same", 'table:number-columns-repeated="2"'), textCell("<office:annotation/>x"));
    const markdown = await markdownOf(
      book(sheet("Sales", first) + sheet("Hidden", row(textCell("Secret")), "ta2")),
    );
    expect(markdown).toBe(
      "| Day | Sum | Share |\n| --- | --- | --- |\n| 2026-01-31 | 1234.567 | 25% |\n| same | same | x |",
    );
  });

  test("rows and cells that are repeated without end have an end", async () => {
    const wide = row(
      textCell("a"),
      textCell("b"),
      '<table:table-cell table:number-columns-repeated="999999999"/>',
    );
    const empty =
      '<table:table-row table:number-rows-repeated="999999999"><table:table-cell/></table:table-row>';
    expect(await markdownOf(book(sheet("S", wide + empty)))).toBe("| a | b |\n| --- | --- |");
    const many =
      `<table:table-row table:number-rows-repeated="999999999">${textCell("a")}${textCell("b")}</table:table-row>`.repeat(
        200,
      );
    expect(await markdownOf(book(sheet("S", many)))).toContain(
      "The first 5000 of 199999999800 rows are shown.",
    );
  });
});

test("hostile documents end", async () => {
  const deep = `${"<text:section>".repeat(20_000)}${p("x")}${"</text:section>".repeat(20_000)}`;
  expect(readOdf(text(p("Near.") + deep))).toMatchObject({
    isCut: true,
    html: expect.stringContaining("Near."),
  });
  const circle =
    '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="P2"/><style:style style:name="P2" style:family="paragraph" style:parent-style-name="P1"/>';
  expect(await markdownOf(text(p("Round.", "P1"), { styles: circle }))).toBe("Round.");
  const entity = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
  const body = `${entity}<office:document-content><office:body><office:text>${p("&a;&f;x")}</office:text></office:body></office:document-content>`;
  expect(await markdownOf(text("", { more: { "content.xml": body } }))).not.toMatch(/aaaa|root:/);
  expect(await failureOf(text("", { more: { "content.xml": " ".repeat(60_000_000) } }))).toBe("broken");
  expect(await failureOf(text(p("x")).subarray(0, 400), "application/vnd.oasis.opendocument.text")).toBe(
    "broken",
  );
  const locked =
    "<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>";
  expect(await failureOf(text(p("x"), { more: { "META-INF/manifest.xml": locked } }))).toBe("broken");
  expect(readOdf(text(p("One.") + p("Two.").repeat(100)), 60)).toMatchObject({
    isCut: true,
    html: expect.stringContaining("One."),
  });
});
