import { makePdf, type Pdf, rawPdf, writeLines } from "../../../test/support/pdf.ts";
import { openDocument } from "../../document/read-document.ts";
import { readPdf } from "../../document/read-pdf.ts";
import { extractPage } from "../../page/extract-page.ts";

const wanted = { formats: ["markdown" as const, "links" as const], onlyMainContent: false };

async function read(draw: (pdf: Pdf) => void, info?: Record<string, unknown>) {
  const { html } = await readPdf(await makePdf(draw, info), { signal: AbortSignal.timeout(60_000) });
  return extractPage({ html, url: "https://site.example/a.pdf" }, wanted);
}

const prose =
  "The river rises in the hills and runs through three valleys before it meets the sea. Its water is clear, and the people of the towns along it have fished there for as long as anybody remembers.";
const filled = (count: number) => Array.from({ length: count }, () => prose).join(" ");

const cases: [name: string, draw: (pdf: Pdf) => void, markdown: string][] = [
  [
    "headings by size",
    pdf => {
      pdf.fontSize(24).text("Rivers").fontSize(16).text("The north").fontSize(11).text(prose).moveDown();
      pdf.fontSize(13).text("Lakes").fontSize(11).text(prose).moveDown();
      pdf.fontSize(16).text("The south").fontSize(11).text(prose);
    },
    `# Rivers\n\n## The north\n\n${prose}\n\n### Lakes\n\n${prose}\n\n## The south\n\n${prose}`,
  ],
  [
    "a heading of two lines",
    pdf =>
      pdf
        .fontSize(24)
        .text("A long title that takes more than one line of the page")
        .fontSize(11)
        .text(prose),
    `# A long title that takes more than one line of the page\n\n${prose}`,
  ],
  [
    "bold headings in the size of the text",
    pdf => {
      pdf.fontSize(20).text("Rivers").fontSize(11).text(prose).moveDown();
      pdf.font("Helvetica-Bold").text("1. Sources").font("Helvetica").text(prose).moveDown();
      pdf.font("Helvetica-Bold").text("1.1 Springs").font("Helvetica").text(prose);
    },
    `# Rivers\n\n${prose}\n\n## 1\\. Sources\n\n${prose}\n\n### 1.1 Springs\n\n${prose}`,
  ],
  [
    "numbered headings in the text's own font",
    pdf => {
      pdf.fontSize(20).text("Rivers").fontSize(11).text(prose).moveDown();
      pdf.text("2.1 Springs").moveDown().text(prose);
    },
    `# Rivers\n\n${prose}\n\n### 2.1 Springs\n\n${prose}`,
  ],
  ["paragraphs apart", pdf => pdf.text(prose).moveDown().text(prose), `${prose}\n\n${prose}`],
  [
    "paragraphs that begin with an indented line",
    pdf => pdf.text(prose, { indent: 20 }).text(prose, { indent: 20 }),
    `${prose}\n\n${prose}`,
  ],
  [
    "words divided at the end of a line",
    pdf => {
      const lines = [
        "The well-known towns along the river have ex-",
        "traordinary bridges, and each of the well-",
      ];
      writeLines(
        pdf,
        [...lines, "known ones was built by hand in the cen-", "tury before COVID-", "19 came."],
        { y: 60 },
      );
    },
    "The well-known towns along the river have extraordinary bridges, and each of the well-known ones was built by hand in the century before COVID-19 came.",
  ],
  [
    "lists with bullets, wrapped and nested",
    pdf => {
      pdf.text(prose).moveDown();
      const y = pdf.y;
      writeLines(pdf, ["• Trout"], { y });
      writeLines(pdf, ["• Salmon, which swims up the river in autumn", "  and is caught with nets"], {
        y: y + 14,
      });
      writeLines(pdf, ["– of the north", "– of the south"], { x: 74, y: y + 42 });
      writeLines(pdf, ["• Eel"], { y: y + 70 });
    },
    `${prose}\n\n- Trout\n- Salmon, which swims up the river in autumn and is caught with nets\n  - of the north\n  - of the south\n- Eel`,
  ],
  [
    "bullets far from their text",
    pdf => {
      writeLines(pdf, ["•", "•", "•"], { y: 60 });
      writeLines(pdf, ["Trout", "Salmon", "Eel"], { x: 80, y: 60 });
    },
    "- Trout\n- Salmon\n- Eel",
  ],
  [
    "numbered lists",
    pdf => {
      pdf.text(prose).moveDown();
      writeLines(pdf, ["3. Open the gate", "4. Let the water in", "5. Close it"], { y: pdf.y });
    },
    `${prose}\n\n3. Open the gate\n4. Let the water in\n5. Close it`,
  ],
  [
    "a year at the start of a paragraph",
    pdf => pdf.text(prose).moveDown().text(`1. May was the day. ${prose}`),
    `${prose}\n\n1\\. May was the day. ${prose}`,
  ],
  [
    "a table",
    pdf => {
      pdf.text(prose).moveDown();
      const y = pdf.y;
      for (const [column, cells] of [
        ["Town", "Upford", "Old Mill", "Downham"],
        ["People", "1200", "85", "30,000"],
        ["Remark", "has two | bridges", "", "port"],
      ].entries())
        for (const [row, cell] of cells.entries())
          pdf.text(cell, 50 + column * 120, y + row * 16, { lineBreak: false });
      pdf.text(prose, 50, y + 90);
    },
    `${prose}\n\n| Town | People | Remark |\n| --- | --- | --- |\n| Upford | 1200 | has two \\| bridges |\n| Old Mill | 85 |  |\n| Downham | 30,000 | port |\n\n${prose}`,
  ],
  [
    "a table with wrapped cells",
    pdf => {
      const rows = [
        ["Town", "What it has"],
        ["Upford", "two bridges and a mill that"],
        ["", "is older than both"],
        ["Downham", "a port"],
        ["Seaham", "a lighthouse"],
      ];
      let y = 60;
      for (const [town = "", remark = ""] of rows) {
        y += town === "" ? 13 : 20;
        pdf.text(town, 50, y, { lineBreak: false }).text(remark, 200, y, { lineBreak: false });
      }
    },
    "| Town | What it has |\n| --- | --- |\n| Upford | two bridges and a mill that is older than both |\n| Downham | a port |\n| Seaham | a lighthouse |",
  ],
  [
    "two columns below a title",
    pdf => {
      pdf.fontSize(22).text("Rivers", { align: "center" }).fontSize(10).moveDown();
      pdf.text(`First. ${filled(4)}`, { columns: 2, columnGap: 24, height: 250 });
    },
    `# Rivers\n\nFirst. ${filled(4)}`,
  ],
  [
    "three columns between a table and a list",
    pdf => {
      pdf.fontSize(8);
      for (const [row, cells] of [
        ["a", "b"],
        ["1", "2"],
        ["3", "4"],
      ].entries())
        for (const [column, text] of cells.entries())
          pdf.text(text, 50 + 200 * column, 50 + 12 * row, { lineBreak: false });
      pdf.text(prose, 50, 100);
      pdf.text(`First. ${filled(4)}`, 50, 150, { columns: 3, columnGap: 20, height: 120 });
      writeLines(pdf, ["• one", "• two"], { y: 400, pitch: 10 });
    },
    `| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n\n${prose}\n\nFirst. ${filled(4)}\n\n- one\n- two`,
  ],
  [
    "a title beside an address",
    pdf => {
      pdf.text(prose, 50, 200);
      pdf.fontSize(24).text("INVOICE", 50, 50, { lineBreak: false });
      writeLines(pdf.fontSize(11), ["12 River Street", "Upford"], { x: 400, y: 52 });
    },
    `12 River Street\n\n# INVOICE\n\nUpford\n\n${prose}`,
  ],
  [
    "numbers around a nested list",
    pdf => {
      writeLines(pdf, ["1. open"], { y: 60 });
      writeLines(pdf, ["a) left", "b) right"], { x: 80, y: 74 });
      writeLines(pdf, ["2. close"], { y: 102 });
    },
    "1. open\n   1. left\n   2. right\n2. close",
  ],
  [
    "links on words, and one over a whole line",
    pdf => {
      pdf
        .text(prose)
        .moveDown()
        .text("See ", { continued: true })
        .text("the map", { link: "https://map.example/?a=1&b=2", continued: true });
      pdf.text(" of the river.", { link: null }).moveDown();
      pdf.text("All maps", { link: "https://map.example/all" });
    },
    `${prose}\n\nSee [the map](https://map.example/?a=1&b=2) of the river.\n\n[All maps](https://map.example/all)`,
  ],
  [
    "characters that mean something in Markdown",
    pdf =>
      pdf
        .text(prose)
        .moveDown()
        .text("# no heading")
        .moveDown()
        .text("*stars*, _lines_ and [brackets](x) <b>")
        .moveDown()
        .text("> quoted"),
    `${prose}\n\n\\# no heading\n\n\\*stars\\*, \\_lines\\_ and [brackets\\](x) \\<b>\n\n\\> quoted`,
  ],
  [
    "emphasis",
    pdf => {
      pdf.text("It is ", { continued: true }).font("Helvetica-Bold").text("very", { continued: true });
      pdf
        .font("Helvetica")
        .text(" deep and ", { continued: true })
        .font("Helvetica-Oblique")
        .text("cold", { continued: true });
      pdf.font("Helvetica").text(".");
    },
    "It is **very** deep and *cold*.",
  ],
  [
    "code",
    pdf => {
      pdf.text(prose).moveDown().font("Courier");
      writeLines(pdf, ["if (deep) {", "  swim();", "}"], { y: pdf.y });
      pdf.font("Helvetica").text(prose, 50, pdf.y + 20);
    },
    `${prose}\n\n\`\`\`\nif (deep) {\n  swim();\n}\n\`\`\`\n\n${prose}`,
  ],
  [
    "a table of contents",
    pdf =>
      writeLines(pdf, ["Springs . . . . . . . . . . . . 3", "Mouths . . . . . . . . . . . . . 12"], {
        y: 60,
      }),
    "Springs … 3\n\nMouths … 12",
  ],
  [
    "lines that end where they need not",
    pdf => {
      pdf.text(prose).moveDown();
      writeLines(pdf, ["Ann Author", "1 River Street", "Upford"], { y: pdf.y });
    },
    `${prose}\n\nAnn Author\n\n1 River Street\n\nUpford`,
  ],
  [
    "a paragraph over two pages, without headers, footers and page numbers",
    pdf => {
      const words = prose.split(" ");
      for (const [page, text] of [words.slice(0, 20), words.slice(20), words, words].entries()) {
        if (page > 0) pdf.addPage();
        writeLines(pdf, ["The book of rivers"], { y: 20 });
        pdf.text(text.join(" "), 50, 100);
        writeLines(pdf, [`Page ${page + 7} of 10`], { x: 280, y: 760 });
      }
    },
    `${prose}\n\n${prose}\n\n${prose}`,
  ],
  [
    "page numbers beside a chapter's name",
    pdf => {
      for (let page = 1; page <= 6; page += 1) {
        if (page > 1) pdf.addPage();
        writeLines(pdf, [page % 2 === 0 ? `${page} Rivers` : `Chapter ${page} ${page}`], {
          x: page % 2 === 0 ? 50 : 450,
          y: 20,
        });
        pdf.text(`Part ${page}. ${prose}`, 50, 100);
      }
    },
    [1, 2, 3, 4, 5, 6].map(page => `Part ${page}. ${prose}`).join("\n\n"),
  ],
  ["no text", pdf => pdf.rect(100, 100, 50, 50).fill(), ""],
];

test.each(cases)("%s", async (_name, draw, markdown) => {
  expect((await read(draw)).markdown?.trim()).toBe(markdown);
});

test("the structure of a tagged document decides what its texts are", async () => {
  const { markdown } = await read(pdf => {
    const marked = (role: string, text: string, y: number) =>
      pdf.struct(role, {}, () => {
        pdf.text(text, 80, y, { lineBreak: false });
      });
    pdf.addStructure(marked("H3", "No larger than the text", 60));
    const items = ["one", "two"].map((text, at) =>
      pdf.struct("LI", {}, [marked("LBody", text, 80 + 14 * at)]),
    );
    pdf.addStructure(pdf.struct("L", {}, items));
    pdf.addStructure(marked("P", prose.slice(0, 79), 130));
  });
  expect(markdown?.trim()).toBe(`### No larger than the text\n\n- one\n- two\n\n${prose.slice(0, 79)}`);
});

test("links are absolute and in order", async () => {
  const { links } = await read(pdf => {
    pdf.text("one", { link: "https://b.example/1" }).text("two", { link: "https://a.example/2#x" });
    pdf.text("mail", { link: "mailto:a@b.example" });
  });
  expect(links).toEqual(["https://b.example/1", "https://a.example/2#x"]);
});

test.each([
  ["of the document", { Title: " A survey of the north " }, "A survey of the north"],
  ["of its first heading, when it has none", {}, "The rivers"],
  [
    "of its first heading, in place of a file's name",
    { Title: "Microsoft Word - draft7.docx" },
    "The rivers",
  ],
])("the title is that %s", async (_name, info, title) => {
  const facts = await read(pdf => pdf.fontSize(24).text("The rivers").fontSize(11).text(prose), info);
  expect(facts).toMatchObject({ title, language: "en" });
});

test("what the document says of itself becomes metadata of the page", async () => {
  const info = {
    Author: "Ann <Author>",
    Subject: "On rivers",
    CreationDate: new Date("2026-01-31T12:00:00Z"),
  };
  const { html } = await readPdf(await makePdf(pdf => pdf.text("a"), info), {
    signal: AbortSignal.timeout(60_000),
  });
  expect(html).toContain('<meta name="author" content="Ann &lt;Author&gt;">');
  expect(html).toContain('<meta name="description" content="On rivers">');
  expect(html).toContain('<meta property="article:published_time" content="2026-01-31T12:00:00.000Z">');
});

test("of a long document the first pages are read, and it says so", async () => {
  const { markdown = "" } = await read(pdf => {
    for (let page = 1; page <= 203; page += 1)
      (page > 1 ? pdf.addPage() : pdf).text(`Text of ${page}.`, 50, 300);
  });
  expect(markdown).toContain("Text of 200.");
  expect(markdown).not.toContain("Text of 201.");
  expect(markdown.trim()).toMatch(/The first 200 of 203 pages were read\.$/);
});

/** A PDF with one page, object 3, and these objects as its page tree. */
const pdfOf = (kids: string) =>
  rawPdf(["<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>"], { kids, count: 2 });

test.each([
  ["without objects", Buffer.from("%PDF-1.4\nnothing that follows is one")],
  ["whose page tree is a ring", pdfOf("2 0 R 3 0 R")],
  ["whose page tree is a ring behind a page", pdfOf("3 0 R 2 0 R")],
  ["whose page is missing", pdfOf("9 0 R")],
])("one %s is an error of the site", async (_, body) => {
  const reading = openDocument({ body, contentType: "application/pdf" });
  const error: unknown = await reading.catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: "broken", message: "The document is broken or locked." });
  expect((error as Error).cause).toBeInstanceOf(Error);
});

test("an aborted signal ends the reading with its reason", async () => {
  const reason = new Error("enough");
  const body = await makePdf(pdf => pdf.text("a"));
  await expect(readPdf(body, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(body.subarray(0, 5).toString()).toBe("%PDF-");
});
