import { createHash } from "node:crypto";
import { comparable } from "./noise.ts";

/** The stored text of a page, one line for each block. */
export interface PageText {
  /** SHA-256 of the text in order, without noise. */
  hash: string;
  /** The blocks, truncated to `maxTextBytes`. */
  text: string;
}

/** What is kept of a page's text. */
export const [maxTextBytes, maxTextLines] = [128 * 1024, 10_000];
/**
 * How much of a page the noise rules are applied to, from its beginning: they take some 10 µs a line, and up to a second
 * for a million characters. What follows is compared as it is.
 */
const [maxRuledLines, maxRuledLength] = [40_000, 1024 * 1024];

/** The text of a page; undefined when it is empty. */
export function readPageText(markdown: string): PageText | undefined {
  const { blocks, rest } = partsOf(markdown);
  const said = comparable(blocks).filter(key => key !== "");
  return isSaying(said) || isSaying([rest]) ? textOf(said, blocks, rest) : undefined;
}

/** The text as it is, noise included, for what somebody has pointed at; undefined when it is empty. */
export function readExactText(markdown: string): PageText | undefined {
  const { blocks, rest } = partsOf(markdown);
  return isSaying(blocks) || isSaying([rest]) ? textOf(blocks, blocks, rest) : undefined;
}

/** A text that says nothing, where that is a state of its own. */
export const emptyText: PageText = textOf([], [], "");

/** The blocks of a page that are compared one by one, and the rest. */
function partsOf(markdown: string): { blocks: string[]; rest: string } {
  const end = endOfRuled(markdown);
  const lines = markdown.slice(0, end).split("\n");
  const blocks = lines.flatMap(line => line.replace(/\p{Cc}/gu, " ").trim() || []);
  return { blocks, rest: markdown.slice(end) };
}

function endOfRuled(markdown: string): number {
  let end = 0;
  for (let lines = 0; lines < maxRuledLines && end < maxRuledLength; lines += 1) {
    const next = markdown.indexOf("\n", end);
    if (next === -1) return Math.min(markdown.length, maxRuledLength);
    end = next + 1;
  }
  return Math.min(end, maxRuledLength);
}

function isSaying(blocks: string[]): boolean {
  return blocks.some(block => /[\p{L}\p{N}]/u.test(block));
}

function textOf(said: string[], blocks: string[], rest: string): PageText {
  const hash = createHash("sha256").update(said.join("\n")).update(rest).digest("hex");
  return { hash, text: keptPart(blocks) };
}

function keptPart(blocks: string[]): string {
  return firstBytes(blocks.slice(0, maxTextLines).join("\n"), maxTextBytes);
}

/** The blocks of a page in the form in which they are compared: as they are where all of them are noise. */
export function keysOf(blocks: string[], isExact = false): string[] {
  const keys = isExact ? blocks : comparable(blocks);
  return isSaying(keys) ? keys : blocks;
}

/** Names what blocks say, without noise. */
export function hashOf(keys: readonly string[]): string {
  return createHash("sha256")
    .update(keys.filter(key => key !== "").join("\n"))
    .digest("hex");
}

/**
 * Names what follows the kept lines of a page; "" for nothing. `keys`: what follows, before what `rest` names already: the
 * same page has the same name wherever it is cut.
 */
export function restOf(keys: readonly string[], rest = ""): string {
  return keys.reduceRight((after, key) => (key === "" ? after : hashOf([key, after])), rest);
}

/** The beginning of a text, in whole characters. */
export function firstBytes(text: string, bytes: number): string {
  // No character takes less than a byte.
  const beginning = text.slice(0, bytes);
  const buffer = Buffer.from(beginning);
  if (buffer.length <= bytes) return beginning;
  // A truncated character decodes to U+FFFD.
  return new TextDecoder().decode(buffer.subarray(0, bytes)).replace(/\ufffd+$/, "");
}
