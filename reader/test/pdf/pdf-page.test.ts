import { makePdf, type Pdf, writeLines } from "../../../test/support/pdf.ts";
import { readPdf } from "../../document/read-pdf.ts";
import { extractPage } from "../../page/extract-page.ts";

async function read(draw: (pdf: Pdf) => void, info?: Record<string, unknown>) {
  const { html } = await readPdf(await makePdf(draw, info), { signal: AbortSignal.timeout(60_000) });
  return extractPage(
    { html, url: "https://site.example/a.pdf" },
    { formats: ["markdown", "links"], onlyMainContent: false },
  );
}

const prose =
  "The river rises in the hills and runs through three valleys before it meets the sea. Its water is clear, and the people of the towns along it have fished there for as long as anybody remembers.";

/** A title, a paragraph with a link and a table, within a square, so that they fit into a page that is turned. */
function draw(pdf: Pdf): void {
  pdf.fontSize(20).text("Profit", 50, 50).fontSize(11).text(prose, { width: 480 });
  pdf.text("All maps", 50, 150, { link: "https://map.example/all" });
  for (const [row, cells] of [
    ["Town", "People"],
    ["Upford", "1200"],
    ["Downham", "30,000"],
  ].entries())
    for (const [column, cell] of cells.entries())
      pdf.text(cell, 50 + column * 120, 200 + row * 16, { lineBreak: false });
}

const markdown = `# Profit\n\n${prose}\n\n[All maps](https://map.example/all)\n\n| Town | People |\n| --- | --- |\n| Upford | 1200 |\n| Downham | 30,000 |`;

test.each([0, 90, 180, 270])("a page that is shown turned by %i degrees reads as its text is", async turn => {
  const page = await read(pdf => {
    Object.assign(pdf.page.dictionary.data, { Rotate: turn });
    draw(pdf);
  });
  expect(page.markdown?.trim()).toBe(markdown);
  expect(page.links).toEqual(["https://map.example/all"]);
});

test.each([90, 180, 270])(
  "text that is drawn turned by %i degrees reads as upright text does",
  async turn => {
    const page = await read(pdf => {
      pdf.rotate(turn, { origin: [306, 306] });
      draw(pdf);
    });
    // Where pdfkit lays the link is not turned exactly.
    expect(page.markdown?.replace(/\[|\]\([^)]*\)/g, "").trim()).toBe(
      markdown.replace(/\[|\]\([^)]*\)/g, ""),
    );
  },
);

test("a stamp along the edge comes behind the page, in one piece, and a mark across it too", async () => {
  const page = await read(pdf => {
    draw(pdf);
    pdf
      .save()
      .rotate(-90, { origin: [20, 500] })
      .fontSize(11)
      .text("Read at the meeting of May", 20, 500);
    pdf
      .restore()
      .save()
      .rotate(-40, { origin: [300, 600] })
      .fontSize(50)
      .text("DRAFT", 300, 600);
  });
  expect(page.markdown?.slice(0, markdown.length)).toBe(markdown);
  expect(page.markdown).toMatch(/Read at the meeting of May/);
  expect(page.markdown).toMatch(/DRAFT/);
});

test("values of a form are read with their labels", async () => {
  const page = await read(pdf => {
    pdf.initForm().text(prose, 50, 40);
    const field = (label: string, y: number) => pdf.text(label, 50, y, { lineBreak: false });
    field("Name:", 100);
    pdf.formText("name", 150, 96, 200, 18, { value: "Ann Lind" });
    field("Town:", 130);
    pdf.formText("town", 150, 126, 200, 18, {});
    field("Delivery:", 160);
    pdf.formCombo("delivery", 150, 156, 200, 18, { select: ["post", "hand"], value: "hand" });
    field("Word:", 190);
    pdf.formText("word", 150, 186, 200, 18, { value: "secret", password: true });
    field("Remarks", 220);
    pdf.formText("remarks", 50, 240, 300, 60, { multiline: true, value: "Leave it\nat the gate." });
  });
  expect(page.markdown?.trim()).toBe(
    `${prose}\n\nName: Ann Lind\n\nTown:\n\nDelivery: hand\n\nWord:\n\nRemarks\n\nLeave it\n\nat the gate.`,
  );
});

test.each([
  [{ Title: "untitled", Author: "(anonymous)", Subject: "unspecified" }],
  [{ Title: "Microsoft Word - draft.docx", Author: "anonymous" }],
  [{ Title: "Untitled 3", Author: "admin" }],
  [{ Title: "scan0001.pdf", Author: "(unknown)" }],
])("what programs write for want of a title is none: %j", async info => {
  expect(await read(pdf => pdf.text(prose), info)).toMatchObject({
    title: "",
    author: null,
    description: null,
  });
  const titled = await read(pdf => pdf.fontSize(24).text("The rivers").fontSize(11).text(prose), info);
  expect(titled.title).toBe("The rivers");
});

test("a hundred thousand small texts, turned every way, are cut at a bound", async () => {
  const { html } = await readPdf(
    await makePdf(pdf => {
      for (const turn of [0, 90, 180, 270]) {
        pdf.save().rotate(turn, { origin: [306, 396] });
        writeLines(
          pdf,
          Array.from({ length: 500 }, (_, at) => `w${at}`.padEnd(12, "w")),
          { y: 20, pitch: 1.5 },
        );
        pdf.restore();
      }
    }),
    { signal: AbortSignal.timeout(60_000) },
  );
  expect(html.match(/w499w/g)?.length).toBeGreaterThan(1);
});
