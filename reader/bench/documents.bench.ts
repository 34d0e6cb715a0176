import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Outcome } from "../../test/bench/compare.ts";
import { installWithPip } from "../../test/bench/peers/install-with-pip.ts";
import { findOnPath } from "../../test/support/debian-binary.ts";
import { openDocument } from "../document/read-document.ts";
import type { Recognized } from "../document/read-pdf.ts";
import { extractPage } from "../page/extract-page.ts";
import { scanOf } from "../pdf/pdf-scans.ts";
import type { BenchDocument } from "./documents/bench-document.ts";
import { officeDocuments } from "./documents/office-documents.ts";
import { pdfDocuments } from "./documents/pdf-documents.ts";
import { textDocuments } from "./documents/text-documents.ts";

/** A new kind of document is a file in documents/ and a line here. */
const documents: BenchDocument[] = [...pdfDocuments, ...officeDocuments, ...textDocuments];

const peer = "markitdown[pdf,docx,pptx,xlsx]==0.1.9";
const readMs = 120_000;

/** How many facts of generated documents each reader keeps. Magpie recognises pictures where Tesseract is on the machine. */
export async function documentsBench(): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), "magpie-documents-"));
  const markitdown = await installWithPip("markitdown", peer).catch(() => undefined);
  const readers: Record<string, (path: string, body: Uint8Array) => Promise<string>> = {
    magpie: (path, body) => readHere(path, body),
    ...(markitdown && { markitdown: path => readThere(join(markitdown, "markitdown"), path) }),
  };
  try {
    const outcomes: Outcome[] = markitdown ? [] : [{ line: `documents: ${peer} could not be installed` }];
    for (const [name, read] of Object.entries(readers)) outcomes.push(...(await measure(name, read, folder)));
    return outcomes;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  name: string,
  read: (path: string, body: Uint8Array) => Promise<string>,
  folder: string,
): Promise<Outcome[]> {
  let [right, all] = [0, 0];
  const wrong: string[] = [];
  for (const [index, document] of documents.entries()) {
    const body = await document.make();
    const path = join(folder, `${index}.${document.extension}`);
    writeFileSync(path, body);
    const markdown = await read(path, body).catch(() => "");
    const kept = keptOf(document, markdown);
    const count = document.facts.length + (document.absent?.length ?? 0);
    [right, all] = [right + kept, all + count];
    if (kept < count) wrong.push(`${document.name} ${kept} of ${count}`);
  }
  return [
    { line: `documents: ${name} ${right} of ${all} facts of ${documents.length} documents` },
    { line: `  not whole: ${wrong.join(", ") || "none"}` },
  ];
}

function keptOf({ facts, absent = [] }: BenchDocument, markdown: string): number {
  const flat = markdown.replace(/\s+/g, " ");
  const kept = facts.filter(fact => (typeof fact === "string" ? flat.includes(fact) : fact.test(markdown)));
  const left = absent.filter(each => flat.trim() !== "" && !each.test(markdown));
  return kept.length + left.length;
}

async function readHere(path: string, body: Uint8Array): Promise<string> {
  const sent = { body, contentType: "", finalUrl: `https://site.example/${path.split("/").at(-1)}` };
  const first = await openDocument(sent);
  const textless = first.kind === "converted" ? first.textless : undefined;
  const recognized = textless && (await recognize(body, textless));
  const document = recognized ? await openDocument({ ...sent, recognized }) : first;
  if (document.kind === "text") return document.markdown;
  const page = { html: document.html, url: sent.finalUrl };
  return extractPage(page, { formats: ["markdown"], onlyMainContent: false }).markdown ?? "";
}

async function recognize(body: Uint8Array, textless: number[]): Promise<Recognized | undefined> {
  const program = findOnPath("tesseract");
  if (program === undefined) return undefined;
  const recognized: Recognized = { pages: {}, left: [] };
  for (const number of textless) {
    const image = await scanOf(body, number);
    if (!image) continue;
    const { width, height, pixels } = image;
    const input = Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
    const hocr = execFileSync(program, ["stdin", "stdout", "-l", "eng", "hocr"], {
      ...{ input, encoding: "utf8" },
      stdio: ["pipe", "pipe", "ignore"],
    });
    recognized.pages[number] = { hocr, width, height };
  }
  return recognized;
}

async function readThere(program: string, path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [path], { timeout: readMs, maxBuffer: 2 ** 26 });
  return stdout;
}
