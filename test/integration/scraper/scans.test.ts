import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PNG } from "pngjs";
import { removeFolder } from "../../support/folders.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { makePdf } from "../../support/pdf.ts";
import { type Scraper, startScraper } from "./scraper.ts";

const folder = mkdtempSync(join(tmpdir(), "magpie-scans-"));
const program = join(folder, "tesseract.mjs");
copyFileSync(join(import.meta.dirname, "../../support/tesseract-stand-in.js"), program);
chmodSync(program, 0o755);

let site: Site;
let scraper: Scraper;
beforeAll(async () => {
  const picture = PNG.sync.write(new PNG({ width: 60, height: 80 }));
  const scan = await makePdf(pdf => {
    pdf.text("The first page has text of its own.", 50, 300);
    for (let page = 2; page <= 3; page += 1) pdf.addPage().image(picture, 0, 0, { width: 612, height: 792 });
    pdf.addPage();
  });
  site = await startSite({ "/scan.pdf": { headers: { "content-type": "application/pdf" }, body: scan } });
  scraper = await startScraper([site.port], { ocr: { program, languages: ["eng"] } });
});
afterAll(async () => {
  await scraper?.stop();
  await site?.close();
  await removeFolder(folder);
});
afterEach(() => rmSync(`${program}.mode`, { force: true }));

const read = async () =>
  (await scraper.job({ url: `${site.url}/scan.pdf`, output: { formats: ["markdown"] } })).data;

test("the text of pages that are pictures is recognised, and the answer says so", async () => {
  const { markdown, metadata } = await read();
  expect(markdown).toMatch(
    /^The first page has text of its own\.\s+# Seen 612 by 792 eng\s+# Seen 612 by 792 eng/,
  );
  expect(metadata.warning).toBe("Pages 2 to 3 are pictures, whose text was recognised; it may have errors.");
});

test("a program that fails costs the text of these pages alone", async () => {
  writeFileSync(`${program}.mode`, "broken");
  const { markdown, metadata } = await read();
  expect(markdown?.trim()).toBe("The first page has text of its own.");
  expect(metadata.warning).toBe("Pages 2 to 3 are pictures, whose text was not read.");
});
