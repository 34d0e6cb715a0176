import { createHash } from "node:crypto";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { withoutNoise } from "./noise.ts";

/** A page as it is remembered: a line for each block. */
export interface PageText {
  /** SHA-256 over what the page says, whatever its noise and the order of its blocks. */
  hash: string;
  /** The blocks, at most `maxTextBytes` of them. */
  text: string;
}

/** The data of `web.page.changed`, beside title and url. */
export interface PageChange {
  previousHash: string;
  currentHash: string;
  /** Blocks as the page shows them. */
  added: string[];
  removed: string[];
  /** Unified diff of the blocks; "" where the pages differ too much for one. */
  diff: string;
  truncated?: true;
}

const maxTextBytes = 128 * 1024;
const maxBlocks = 100;
const maxBlockLength = 400;
const maxDiffBytes = 32 * 1024;
/** Bounds the time of a diff, which grows with the square of the edits. */
const maxEdits = 1000;

/** What a page says; undefined when it says nothing. */
export function readPageText(markdown: string): PageText | undefined {
  const blocks = markdown.split("\n").flatMap(line => line.replace(/\p{Cc}/gu, " ").trim() || []);
  const said = blocks.map(withoutNoise).filter(key => key !== "");
  if (!said.some(key => /[\p{L}\p{N}]/u.test(key))) return undefined;
  const hash = createHash("sha256").update(said.sort().join("\n")).digest("hex");
  return { hash, text: firstBytes(blocks.join("\n"), maxTextBytes) };
}

/** How two readings of a page differ; undefined when they say the same. */
export function comparePage(before: PageText, after: PageText): PageChange | undefined {
  if (before.hash === after.hash) return undefined;
  const [old, current] = [before.text.split("\n"), after.text.split("\n")];
  const added = without(current, old);
  const removed = without(old, current);
  const patch = unifiedDiff(old, current);
  const isShown = added.length + removed.length > 0;
  const isWhole = isShown && patch !== "" && patch.length <= maxDiffBytes && fits(added) && fits(removed);
  return {
    previousHash: before.hash,
    currentHash: after.hash,
    added: shortened(added),
    removed: shortened(removed),
    diff: firstBytes(patch, maxDiffBytes),
    ...(!isWhole && { truncated: true }),
  };
}

/** Blocks of `these` that `those` do not have, as often as they are more. */
function without(these: string[], those: string[]): string[] {
  const left = new Map<string, number>();
  for (const key of those.map(withoutNoise)) left.set(key, (left.get(key) ?? 0) + 1);
  return these.filter(block => {
    const key = withoutNoise(block);
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return key !== "" && count <= 0;
  });
}

// A block that differs in noise only stands in the old page as the new one has it, so that the diff does not show it.
function unifiedDiff(old: string[], current: string[]): string {
  const shown = new Map(current.map(block => [withoutNoise(block), block]));
  const quiet = old.map(block => shown.get(withoutNoise(block)) ?? block);
  const same = current.map(block => shown.get(withoutNoise(block)) ?? block);
  const options = { context: 2, maxEditLength: maxEdits, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch("previous", "current", lines(quiet), lines(same), "", "", options) ?? "";
}

function lines(blocks: string[]): string {
  return blocks.map(block => `${block}\n`).join("");
}

function fits(blocks: string[]): boolean {
  return blocks.length <= maxBlocks && blocks.every(block => Buffer.byteLength(block) <= maxBlockLength);
}

function shortened(blocks: string[]): string[] {
  return blocks.slice(0, maxBlocks).map(block => firstBytes(block, maxBlockLength));
}

function firstBytes(text: string, bytes: number): string {
  const buffer = Buffer.from(text);
  if (buffer.length <= bytes) return text;
  // A character that was cut apart decodes to U+FFFD.
  return new TextDecoder().decode(buffer.subarray(0, bytes)).replace(/\ufffd+$/, "");
}
