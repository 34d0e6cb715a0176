import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { configFromEnv } from "../mixins/config/config.ts";
import { openEgress } from "../mixins/egress/egress.mixin.ts";
import { fetchDocument } from "../mixins/egress/fetch-document.ts";
import { cleanTree } from "../reader/clean/clean-tree.ts";
import { reasonsFor } from "../reader/content/classify.ts";
import { type JudgedPage, judgePage } from "../reader/content/find-main.ts";
import { parseHtml } from "../reader/html/parse-html.ts";
import { readMetadata } from "../reader/metadata/read-metadata.ts";
import type { PageSource } from "../reader/page/extract-page.ts";
import { urlResolver } from "../reader/page/page-links.ts";
import { readHtml } from "../reader/reader.ts";
import { pageHeaders } from "../services/scraper/device.ts";
import { readDocument } from "../services/scraper/extract/read-document.ts";

const usage = `Prints a page's main content as Markdown, as a scrape without a browser reads it.

  npm exec -- node tools/explain-page.ts <url or file> [options]

  --explain     instead, all blocks of the page: which are kept, and the features that weighed most
  --whole-page  with navigation, sidebars and footers
  --url <url>   the address of a file's page, for its links
  --help        this text

EGRESS_ALLOW lets it read addresses that are not public, for example EGRESS_ALLOW=127.0.0.1.
`;

const timeoutMs = 30_000;
const shownChars = 80;
const indent = " ".repeat(14);

/** `node tools/explain-page.ts`. */
async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      explain: { type: "boolean" },
      "whole-page": { type: "boolean" },
      url: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return write(usage);
  const [place, ...more] = positionals;
  if (place === undefined || more.length > 0) throw new Error("Give one URL or file.");
  const { url, body, contentType } = await bytesOf(place, values.url);
  const document = await readDocument({ body, contentType });
  if (document.kind === "text") return write(`${document.markdown.trimEnd()}\n`);
  const { html } = document;
  if (values.explain) return write(explainPage(judge({ html, url })));
  const wholePage = values["whole-page"] ?? false;
  const { markdown = "" } = readHtml(html, { url, wholePage });
  write(`${markdown.trimEnd()}\n`);
}

/** Judges the blocks of a page as an extraction does. */
function judge({ html, url }: PageSource): JudgedPage {
  const root = parseHtml(html);
  const resolve = urlResolver(root, url);
  const { title, description, og } = readMetadata(root, resolve, url);
  return judgePage(cleanTree(root, resolve), { url, title, description, kind: og.type ?? "" });
}

/**
 * Prints two lines for every block of a page: whether it is kept, how likely it is content, and how it begins; then the
 * three features that weighed most, each with its value and what it adds to the log odds.
 */
function explainPage(page: JudgedPage): string {
  const { model, outline, scores, threshold, kept } = page;
  const count = kept.filter(each => each).length;
  const lines = [
    `${count} of ${outline.blocks.length} blocks are kept: those that are content with a likelihood of at least ${threshold.toFixed(2)}.`,
  ];
  outline.blocks.forEach(({ text }, at) => {
    const verdict = (kept[at] ? "kept" : "dropped").padEnd(8);
    const reasons = reasonsFor(model, scores, at).map(
      ({ name, value, weight }) => `${name} ${plainly(value)} (${weight < 0 ? "" : "+"}${weight.toFixed(2)})`,
    );
    lines.push(
      "",
      `${verdict}${scores.shares[at]!.toFixed(2)}  ${beginningOf(text)}`,
      indent + reasons.join(", "),
    );
  });
  return `${lines.join("\n")}\n`;
}

function beginningOf(text: string): string {
  const characters = Array.from(text.slice(0, 2 * shownChars));
  return characters.length > shownChars
    ? `${characters.slice(0, shownChars - 1).join("")}…`
    : characters.join("");
}

function plainly(value: number): string {
  return String(Number(value.toFixed(2)));
}

interface Bytes {
  url: string;
  body: Uint8Array;
  contentType: string;
}

async function bytesOf(place: string, url = "https://page.invalid/"): Promise<Bytes> {
  if (!/^https?:\/\//i.test(place)) return { url, body: await readFile(place), contentType: "" };
  const egress = openEgress(configFromEnv());
  try {
    const headers = pageHeaders({ device: "desktop" });
    const found = await fetchDocument(place, headers, { egress, signal: AbortSignal.timeout(timeoutMs) });
    if (found.body.length === 0) throw new Error(`The site answered with ${found.status} and no page.`);
    return found;
  } finally {
    await egress.close();
  }
}

function write(text: string): void {
  process.stdout.write(text);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
