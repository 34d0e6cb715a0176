import { maxIndexed } from "./word-index.ts";

/*
 * What a source takes of the share of a key, about: each row with its indexes, and words with the index of them.
 */

const bytesOfVersion = 300;
export const bytesOfCheck = 150;
export const bytesOfValue = 100;
/** A text is stored, and its words are in the index. */
const copiesOfWords = 2;

/** Rows of checks, and of values, that are kept of one source, at most. */
export const mostRuns = 100_000;

/** What is kept of a source. */
export interface Held {
  versions: number;
  /** The contents and words. */
  bytes: number;
  checks: number;
  values: number;
}

export const nothing: Held = { versions: 0, bytes: 0, checks: 0, values: 0 };

export function bytesOf({ versions, bytes, checks, values }: Held): number {
  return bytes + versions * bytesOfVersion + checks * bytesOfCheck + values * bytesOfValue;
}

export function bytesOfWords(words: string): number {
  return Math.min(words.length, maxIndexed) * copiesOfWords;
}

/** What goes with a version, of the bytes of its source. */
export function bytesWith(content: number, words: number): number {
  return content + words + bytesOfVersion;
}
