import { parseHtml } from "../../../reader/html/parse-html.ts";
import { extractTree } from "../../../reader/page/extract-page.ts";
import { type Part, relevantParts } from "../../../reader/text/relevant-parts.ts";

/** What a model reads: a page, or a document that is a text. */
export type ModelPage = { url: string } & ({ html: string } | { text: string });

/** Characters of a part of a text. */
const partLength = 1200;
const maxLinkedData = 6000;

/**
 * The text of a page or document for a model that answers with values, as Markdown, with the linked data of the page: at
 * most `maxChars` characters, of a longer text the parts that have most of the words. CPU-bound: call it in a worker thread.
 */
export function textForModel(page: ModelPage, words: readonly string[], maxChars: number): string {
  const parts = partsOf("html" in page ? textOf(page) : page.text);
  return relevantParts(parts, words, maxChars)
    .map((at, place, all) => (place > 0 && all[place - 1] !== at - 1 ? "…\n" : "") + (parts[at]?.text ?? ""))
    .join("\n")
    .slice(0, maxChars);
}

function textOf({ html, url }: { html: string; url: string }): string {
  const tree = parseHtml(html);
  const linked = tree.linkedData.map(text => text.replace(/\s+/g, " ").trim().slice(0, maxLinkedData));
  const {
    title,
    description,
    author,
    published_time,
    markdown = "",
  } = extractTree(tree, url, {
    formats: ["markdown"],
    onlyMainContent: false,
  });
  const facts = Object.entries({ title, description, author, published_time });
  const stated = facts.flatMap(([name, value]) => (value ? `${name}: ${value}` : []));
  return [...stated, "", markdown, ...linked.flatMap(text => ["", text])].join("\n");
}

/** Blocks between empty lines; a long one is cut at its lines, a long line at any place. */
function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let heading: number[] = [];
  for (const block of text.split(/\n{2,}/)) {
    const isHeading = /^#{1,6} [^\n]*$/.test(block);
    const first = parts.length;
    for (const piece of piecesOf(`${block}\n`)) {
      // The head of a table is in its first piece.
      const needs = parts.length > first ? [...heading, first] : heading;
      parts.push({ text: piece, needs });
    }
    if (isHeading) heading = [first];
  }
  return parts;
}

function piecesOf(block: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const line of block.split("\n").flatMap(cutLine)) {
    if (piece !== "" && piece.length + line.length > partLength) {
      pieces.push(piece);
      piece = "";
    }
    piece += piece === "" ? line : `\n${line}`;
  }
  return [...pieces, piece];
}

function cutLine(line: string): string[] {
  if (line.length <= partLength) return [line];
  return Array.from({ length: Math.ceil(line.length / partLength) }, (_, at) =>
    line.slice(at * partLength, (at + 1) * partLength),
  );
}
