import { codeOf } from "../../../services/contracts/errors.ts";
import {
  createExtractionPool,
  type ExtractionPool,
} from "../../../services/scraper/extract/extraction-pool.ts";
import { type Random, seeded } from "../../faults/random.ts";
import { docx, epub, openDocumentFile, paragraph, pptx, shape, xlsx } from "../../support/office.ts";
import { makePdf } from "../../support/pdf.ts";

const whole = 120_000;
let pool: ExtractionPool;
const reported: Error[] = [];
beforeAll(() => {
  pool = createExtractionPool(
    async () => undefined,
    Infinity,
    error => reported.push(error),
  );
});
afterAll(() => pool.close());

/** Flips bits, cuts off the end, takes out or repeats a piece. */
function mutated(body: Buffer, random: Random): Buffer {
  const place = () => Math.floor(random() * body.length);
  const [from, to] = [place(), place()].toSorted((a, b) => a - b) as [number, number];
  const kind = Math.floor(random() * 4);
  if (kind === 0) return body.subarray(0, from);
  if (kind === 1) return Buffer.concat([body.subarray(0, from), body.subarray(to)]);
  if (kind === 2) return Buffer.concat([body.subarray(0, to), body.subarray(from)]);
  const flipped = Buffer.from(body);
  for (let left = 1 + Math.floor(random() * 8); left > 0; left--) {
    const at = place();
    flipped[at] = (flipped[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  }
  return flipped;
}

async function codeOfReading(body: Buffer, contentType: string): Promise<string | undefined> {
  const page = {
    status: 200,
    finalUrl: "https://site.example/a",
    redirects: [],
    setCookies: [],
    headers: {},
  };
  const wanted = {
    formats: ["markdown" as const],
    onlyMainContent: true,
    keepHtml: false,
    keepText: false,
    crawl: true,
  };
  const input = { page: { ...page, contentType, body }, wanted, render: "never" as const };
  const job = { group: "g", signal: AbortSignal.timeout(whole), bytes: body.length };
  return await pool.run("readFetched", input, job).then(
    () => "read",
    (error: unknown) => codeOf(error) ?? String(error),
  );
}

const sheet = `<worksheet><sheetData>${Array.from({ length: 20 }, (_, at) => `<row><c r="A${at + 1}"><v>${at}</v></c><c r="B${at + 1}" t="s"><v>0</v></c></row>`).join("")}</sheetData></worksheet>`;
const items = Array.from(
  { length: 10 },
  (_, at) =>
    `<item><title>Item ${at}</title><link>/i/${at}</link><description>&lt;p>Text&lt;/p></description></item>`,
).join("");

const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const excel = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const text = paragraph("Rivers", { style: "H1" }) + paragraph("They run.").repeat(20);
const wordXml = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${text}</w:body></w:document>`;

const powerPoint = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
const slides = [
  {
    shapes: shape("title", "Rivers") + shape("obj", "North", "South").repeat(5),
    notes: shape("body", "Say hello."),
  },
];
const openDocument = "application/vnd.oasis.opendocument";
const odt = `<text:h text:outline-level="1">Rivers</text:h>${'<text:p>They <text:span text:style-name="T1">run</text:span>.</text:p><text:list><text:list-item><text:p>One</text:p></text:list-item></text:list>'.repeat(5)}<table:table><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row></table:table>`;
const ods = `<office:spreadsheet><table:table table:name="S">${'<table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="float" office:value="1.5"><text:p>1.5</text:p></table:table-cell></table:table-row>'.repeat(10)}</table:table></office:spreadsheet>`;
const rtf = `{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset128 G;}}{\\stylesheet{\\s1 heading 1;}}{\\info{\\title Rivers}}\\pard\\s1 Rivers\\par\\pard {\\b They} run \\u8364?\\'e9.\\par\\trowd\\intbl a\\cell b\\cell\\row{\\listtext 1.\\tab}\\pard\\ls1 One\\par{\\footnote x}}`;
const mail = [
  "From: a@a.example",
  "Subject: =?utf-8?Q?Rivers?=",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="b"',
  "",
  "--b",
  "Content-Type: text/html; charset=utf-8",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "<p>They =E2=82=AC run.</p>",
  "--b",
  'Content-Type: text/plain; name="a.txt"',
  "Content-Disposition: attachment",
  "",
  "x",
  "--b--",
].join("\r\n");
const formula =
  '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>x</m:t></m:r></m:den></m:f><m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub/><m:e><m:r><m:t>i</m:t></m:r></m:e></m:nary></m:oMath>';

/** `pack` makes the document of what is broken. */
const documents: [
  name: string,
  type: string,
  make: () => Buffer | Promise<Buffer>,
  pack?: (broken: Buffer) => Buffer,
][] = [
  [
    "PDF",
    "application/pdf",
    async () =>
      Buffer.from(
        await makePdf(pdf => {
          pdf
            .fontSize(20)
            .text("Rivers")
            .fontSize(11)
            .text("They run to the sea.")
            .addPage()
            .text("And back.");
        }),
      ),
  ],
  ["DOCX", word, () => docx(text)],
  [
    "XML of a DOCX",
    word,
    () => Buffer.from(wordXml),
    xml => docx("", { more: { "word/document.xml": xml.toString() } }),
  ],
  ["XLSX", excel, () => xlsx({ sheets: { One: sheet } })],
  ["XML of an XLSX", excel, () => Buffer.from(sheet), xml => xlsx({ sheets: { One: xml.toString() } })],
  ["CSV", "text/csv", () => Buffer.from(`Town;People\n${'"Up;ford";12\n'.repeat(40)}`)],
  [
    "JSON",
    "application/json",
    () => Buffer.from(JSON.stringify({ towns: [{ name: "Upford", people: [1, 2] }] })),
  ],
  [
    "JSON Feed",
    "application/feed+json",
    () =>
      Buffer.from(
        JSON.stringify({
          version: "https://jsonfeed.org/version/1.1",
          title: "News",
          items: [{ id: "1", content_html: "<p>Text</p>" }],
        }),
      ),
  ],
  [
    "RSS",
    "application/rss+xml",
    () =>
      Buffer.from(
        `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${items}</channel></rss>`,
      ),
  ],
  ["PPTX", powerPoint, () => pptx(slides)],
  [
    "XML of a PPTX",
    powerPoint,
    () => Buffer.from(`<p:sld><p:cSld><p:spTree>${slides[0]?.shapes}</p:spTree></p:cSld></p:sld>`),
    xml => pptx(slides, { "ppt/slides/slide1.xml": xml.toString() }),
  ],
  ["ODT", `${openDocument}.text`, () => openDocumentFile({ kind: "text", body: odt })],
  [
    "XML of an ODT",
    `${openDocument}.text`,
    () => Buffer.from(`<office:body><office:text>${odt}</office:text></office:body>`),
    xml => openDocumentFile({ kind: "text", body: "", more: { "content.xml": xml.toString() } }),
  ],
  [
    "XML of an ODS",
    `${openDocument}.spreadsheet`,
    () => Buffer.from(ods),
    xml => openDocumentFile({ kind: "spreadsheet", body: "", more: { "content.xml": xml.toString() } }),
  ],
  [
    "EPUB",
    "application/epub+zip",
    () => epub({ chapters: { "a.xhtml": "<h1>Rivers</h1><p>They run.</p>" } }),
  ],
  ["RTF", "application/rtf", () => Buffer.from(rtf)],
  ["e-mail", "message/rfc822", () => Buffer.from(mail)],
  [
    "notebook",
    "application/x-ipynb+json",
    () =>
      Buffer.from(JSON.stringify({ nbformat: 4, cells: [{ cell_type: "markdown", source: ["# Mill"] }] })),
  ],
  ["formula of a DOCX", word, () => Buffer.from(formula), xml => docx(paragraph(xml.toString()))],
  ["file of another type", "application/octet-stream", () => docx(paragraph("They run."))],
];

test.each(documents)(
  "a broken %s is read, or is an error of the site",
  async (_, type, make, pack = body => body) => {
    const body = await make();
    const random = seeded(body.length);
    expect(await codeOfReading(pack(body), type)).toBe("read");
    const codes = new Set<string | undefined>();
    for (let round = 0; round < 200; round++)
      codes.add(await codeOfReading(pack(mutated(body, random)), type));
    for (const code of ["read", "upstream_error", "unsupported_media_type"]) codes.delete(code);
    expect([...codes]).toEqual([]);
  },
  whole,
);

test("what a library said of a broken document is reported, since it may be our fault", async () => {
  reported.length = 0;
  expect(await codeOfReading(Buffer.from("%PDF-1.4\nnothing"), "application/pdf")).toBe("upstream_error");
  expect(reported).toEqual([expect.objectContaining({ cause: expect.stringContaining("PDF") })]);
});
