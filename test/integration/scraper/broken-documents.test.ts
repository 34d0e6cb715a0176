import { codeOf } from "../../../services/contracts/errors.ts";
import {
  createExtractionPool,
  type ExtractionPool,
} from "../../../services/scraper/extract/extraction-pool.ts";
import { type Random, seeded } from "../../faults/random.ts";
import { docx, paragraph, xlsx } from "../../support/office.ts";
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
