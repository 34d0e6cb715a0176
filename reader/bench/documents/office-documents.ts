import { docx, epub, openDocumentFile, paragraph, pptx, shape, xlsx } from "../../../test/support/office.ts";
import type { BenchDocument } from "./bench-document.ts";
import { presentationParts, workbookParts } from "./whole-packages.ts";

/** Kinds of documents of office programs, and books. */
export const officeDocuments: BenchDocument[] = [
  {
    name: "DOCX with a heading, a nested list and a link",
    extension: "docx",
    make: async () =>
      docx(
        paragraph("The mill on the hill", { style: "H1" }) +
          paragraph("Sights", { style: "H2" }) +
          paragraph("The wheel", { list: "1" }) +
          paragraph("of oak", { list: "1.1" }) +
          paragraph(
            '<w:r><w:t xml:space="preserve">See the </w:t></w:r><w:hyperlink r:id="l1"><w:r><w:t>timetable</w:t></w:r></w:hyperlink><w:r><w:t>.</w:t></w:r>',
          ),
        { links: { l1: "https://mill.example/times" } },
      ),
    facts: [
      /^# The mill on the hill$/m,
      /^[-*] The wheel\n+ {2,4}[-*+] of oak$/m,
      /See the \[timetable\]\(https:\/\/mill\.example\/times\)\./,
    ],
  },
  {
    name: "DOCX with formulas",
    extension: "docx",
    make: async () => docx(paragraph(formulas.fraction) + paragraph(formulas.sum)),
    facts: [/\$[^$]*\\frac\{1\}\{x\}[^$]*\$/, /\\sum_\{i=1\}\^\{n\}/, /\\sqrt\{y\}/],
  },
  {
    name: "DOCX with a quotation, a table and a footnote",
    extension: "docx",
    make: async () =>
      docx(
        `${paragraph("The river is the road.", { style: "Quote" })}${wordTable([
          ["Town", "People"],
          ["Upford", "1200"],
        ])}<w:p><w:r><w:t>It was built of oak.</w:t></w:r><w:r><w:footnoteReference w:id="1"/></w:r></w:p>`,
        { more: wordNotes },
      ),
    facts: [
      /^> The river is the road\.$/m,
      /^\| ?Town ?\| ?People ?\|\n\|[-: |]+\|\n\| ?Upford ?\| ?1200 ?\|$/m,
      "It was built of oak.",
      "The wheel is of elm.",
    ],
  },
  {
    name: "PPTX with a list, a table, notes and a hidden slide",
    extension: "pptx",
    make: async () =>
      pptx(
        [
          {
            shapes: shape("title", "Goals") + shape("obj", "Grow", slideLine("In the north", 1), "Save"),
            notes: shape("body", "Mention the mill."),
          },
          {
            shapes:
              shape("title", "Numbers") +
              slideTable([
                ["Quarter", "Sales"],
                ["Q1", "1.5"],
              ]),
          },
          { shapes: shape("title", "Draft of the budget"), isHidden: true },
        ],
        presentationParts([{ hasNotes: true }, { hasNotes: false }, { hasNotes: false }]),
      ),
    facts: [
      /^#{1,2} Goals$/m,
      /^[-*] Grow\n+ {2,4}[-*+] In the north\n+[-*] Save$/m,
      /^\| ?Q1 ?\| ?1\.5 ?\|$/m,
      "Mention the mill.",
    ],
    absent: [/Draft of the budget/],
  },
  {
    name: "ODT with a numbered list, a table and a note",
    extension: "odt",
    make: async () =>
      openDocumentFile({
        kind: "text",
        body: `<text:h text:outline-level="1">The mill</text:h><text:list text:style-name="LN"><text:list-item><text:p>Open the gate</text:p></text:list-item><text:list-item><text:p>Start the wheel</text:p></text:list-item></text:list><text:p>It is old<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>Of 1842.</text:p></text:note-body></text:note>.</text:p>${sheet(
          "Towns",
          [
            ["Town", "People"],
            ["Upford", "1200"],
          ],
        )}`,
      }),
    facts: [
      /^# The mill$/m,
      /^1\. Open the gate\n+2\. Start the wheel$/m,
      "Of 1842.",
      /^\| ?Upford ?\| ?1200 ?\|$/m,
    ],
  },
  {
    name: "ODS of two sheets",
    extension: "ods",
    make: async () =>
      openDocumentFile({
        kind: "spreadsheet",
        body:
          sheet("Towns", [
            ["Town", "People"],
            ["Upford", "1200"],
          ]) + sheet("Rivers", [["Rill", "90 km"]]),
      }),
    facts: [/^#+ Towns$/m, /^\| ?Upford ?\| ?1200 ?\|$/m, /^#+ Rivers$/m, /^\| ?Rill ?\| ?90 km ?\|$/m],
  },
  {
    name: "XLSX with shared strings, a date and a number in percent",
    extension: "xlsx",
    make: async () =>
      xlsx({
        more: workbookParts,
        strings: "<si><t>Day</t></si><si><t>Share</t></si>",
        styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/></cellXfs>',
        sheets: {
          Shares:
            '<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2" s="1"><v>46053</v></c><c r="B2" s="2"><v>0.25</v></c></row></sheetData>',
        },
      }),
    facts: [/^#+ Shares$/m, /^\| ?Day ?\| ?Share ?\|$/m, /\| ?2026-01-31[^|]*\|/, /\| ?(?:25 ?%|0\.25) ?\|/],
  },
  {
    name: "EPUB of two chapters",
    extension: "epub",
    make: async () =>
      epub({
        metadata: "<dc:title>Two tales</dc:title><dc:creator>Ann Lind</dc:creator>",
        chapters: {
          "one.xhtml": "<h1>The wheel</h1><p>It <em>turns</em> all night.</p>",
          "two.xhtml": "<h1>The flood</h1><blockquote><p>Water rose.</p></blockquote>",
        },
      }),
    facts: [/^#+ The wheel$/m, /It [*_]turns[*_] all night\./, /^#+ The flood$/m, /^> Water rose\.$/m],
    absent: [/color: red/],
  },
];

const formulas = {
  fraction: math(
    "<m:f><m:fPr/><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>x</m:t></m:r></m:den></m:f><m:rad><m:radPr><m:degHide m:val='1'/></m:radPr><m:deg/><m:e><m:r><m:t>y</m:t></m:r></m:e></m:rad>",
  ),
  sum: math(
    '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub><m:r><m:t>i=1</m:t></m:r></m:sub><m:sup><m:r><m:t>n</m:t></m:r></m:sup><m:e><m:r><m:t>i</m:t></m:r></m:e></m:nary>',
  ),
};

function math(content: string): string {
  return `<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${content}</m:oMath>`;
}

function wordTable(rows: string[][]): string {
  const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
  const lines = rows.map(
    (row, at) => `<w:tr>${at === 0 ? "<w:trPr><w:tblHeader/></w:trPr>" : ""}${row.map(cell).join("")}</w:tr>`,
  );
  return `<w:tbl>${lines.join("")}</w:tbl>`;
}

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A footnote, and what leads to it. Replaces the relations of `docx`, so there is no list in such a document. */
const wordNotes = {
  "word/footnotes.xml": `<w:footnotes ${word}><w:footnote w:id="1">${paragraph("The wheel is of elm.")}</w:footnote></w:footnotes>`,
  "word/_rels/document.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s" Type="${relations}/styles" Target="styles.xml"/><Relationship Id="f" Type="${relations}/footnotes" Target="footnotes.xml"/></Relationships>`,
  "word/styles.xml": `<w:styles ${word}><w:style w:type="paragraph" w:styleId="Quote"><w:name w:val="Quote"/></w:style></w:styles>`,
};

function slideLine(text: string, level: number): string {
  return `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`;
}

function slideTable(rows: string[][]): string {
  const cell = (text: string) =>
    `<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
  const columns = rows[0]?.map(() => '<a:gridCol w="1"/>').join("");
  const lines = rows.map(row => `<a:tr h="1">${row.map(cell).join("")}</a:tr>`).join("");
  return `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="t"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr firstRow="1"/><a:tblGrid>${columns}</a:tblGrid>${lines}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
}

function sheet(name: string, rows: string[][]): string {
  const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
  const lines = rows.map(row => `<table:table-row>${row.map(cell).join("")}</table:table-row>`);
  return `<table:table table:name="${name}">${lines.join("")}</table:table>`;
}
