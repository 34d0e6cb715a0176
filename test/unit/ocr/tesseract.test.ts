import { chmodSync, copyFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openOcr } from "../../../mixins/ocr/tesseract.ts";
import { findOnPath } from "../../support/debian-binary.ts";
import { removeFolder } from "../../support/folders.ts";
import { needs } from "../../support/needs.ts";

const folder = mkdtempSync(join(tmpdir(), "magpie-ocr-"));
afterAll(() => removeFolder(folder));

/** A program of its own, so that no test changes how that of another behaves. */
function standIn(mode: string): string {
  const path = join(folder, `tesseract-${mode}.mjs`);
  copyFileSync(join(import.meta.dirname, "../../support/tesseract-stand-in.js"), path);
  chmodSync(path, 0o755);
  writeFileSync(`${path}.mode`, mode);
  return path;
}

const searchPath = process.env.PATH ?? "";
const failures: unknown[] = [];
const open = (program: string, languages = ["eng"]) =>
  openOcr({ program, languages, searchPath, onFailed: error => failures.push(error) });
const image = { width: 300, height: 20, pixels: new Uint8Array(6000).fill(255) };
const never = new AbortController().signal;

beforeEach(() => failures.splice(0));

test("the picture goes to the program by its input, the text comes by its output", async () => {
  const ocr = await open(standIn("good"), ["eng", "deu"]);
  const hocr = await ocr.recognize(image, "a", never);
  expect(hocr).toMatch(/Seen.*300.*by.*20.*eng\+deu/);
});

test("a program that is not there says what to install, before anything starts", async () => {
  await expect(open(join(folder, "none"))).rejects.toThrow(
    /^OCR: .*none cannot be run \(.*Install it \(Debian/,
  );
});

test("a language that is not installed is named with those that are", async () => {
  await expect(open(standIn("good"), ["fra"])).rejects.toThrow(
    /^OCR_LANGUAGES: .* has no fra; it has eng, deu\. .*tesseract-ocr-fra/,
  );
});

test("a program that fails, or never stops writing, costs its page alone", async () => {
  await expect((await open(standIn("broken"))).recognize(image, "a", never)).rejects.toThrow(/ended with 3/);
  await expect((await open(standIn("endless"))).recognize(image, "a", never)).rejects.toThrow(
    /ended with SIGKILL/,
  );
  expect(failures).toHaveLength(2);
});

test("at the deadline the program is killed, and the next page has its place", async () => {
  const ocr = await open(standIn("slow"));
  const reason = new Error("enough");
  for (const _ of [1, 2, 3]) {
    const stop = new AbortController();
    const reading = ocr.recognize(image, "a", stop.signal);
    setImmediate(() => stop.abort(reason));
    await expect(reading).rejects.toBe(reason);
  }
  expect(failures).toEqual([]);
});

needs(findOnPath("tesseract") !== undefined, "tesseract, which recognises text in pictures", {
  isOptional: true,
}).test("Tesseract itself takes such a picture", async () => {
  const ocr = await open("tesseract");
  expect(await ocr.recognize(image, "a", never)).toContain("ocr_page");
});
