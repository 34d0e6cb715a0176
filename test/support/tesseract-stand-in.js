#!/usr/bin/env node
/**
 * Speaks Tesseract's command line, on machines that have not the program: `--list-langs`, and `stdin stdout -l … hocr`.
 * It "recognises" the size of the picture. What the file beside it, its name with `.mode`, says decides how it fails.
 */
import { existsSync, readFileSync } from "node:fs";

const args = process.argv.slice(2);
const file = `${process.argv[1]}.mode`;
const mode = existsSync(file) ? readFileSync(file, "utf8") : "good";
if (args[0] === "--list-langs") {
  console.log('List of available languages in "/none/" (2):\neng\ndeu');
} else if (mode === "slow") {
  process.stdin.resume();
  setInterval(() => undefined, 1000);
} else if (mode === "broken") {
  process.stderr.write("no memory");
  process.exitCode = 3;
} else if (mode === "endless") {
  process.stdin.resume();
  const more = () => {
    while (process.stdout.write("x".repeat(65_536)));
    process.stdout.once("drain", more);
  };
  more();
} else {
  const parts = [];
  process.stdin.on("data", part => parts.push(part));
  process.stdin.on("end", () => {
    const [, width, height] = /^P5\n(\d+) (\d+)\n255\n/.exec(Buffer.concat(parts).toString("latin1")) ?? [];
    const word = (text, x) =>
      `<span class='ocrx_word' id='w' title='bbox ${x} 100 ${x + 90} 120; x_wconf 95'>${text}</span>`;
    const line = `<span class='ocr_line' id='l' title="bbox 100 100 900 120; baseline 0 -4; x_size 20">`;
    const lines = `${line}${word("Seen", 100)} ${word(width, 200)} ${word("by", 300)} ${word(height, 400)} ${word(args[3], 500)}</span>`;
    process.stdout.write(`<html><body><div class='ocr_page'>${lines}</div></body></html>`);
  });
}
