import { createHash } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

/*
 * What the pages of a site have in common is kept once: as the dictionary with which their memories are compressed. It is made
 * of the first pages that are read together, and never changes.
 */

export interface SiteDictionary {
  bytes: Buffer;
  /** The beginning of its SHA-256: what was compressed with it names it. */
  id: Buffer;
  /** As the site's memory keeps it. */
  kept: string;
}

export const idBytes = 4;
/** Bytes of a dictionary, and of them what several of its pages say, at most. */
const [mostBytes, mostShared] = [12 * 1024, 9 * 1024];
/** What pages have in common cannot be told from fewer. */
const fewestPages = 4;
/** What is between two lines in the JSON of a page's memory. */
const lineEnd = "\\n";

/** A dictionary of what pages say, of which each is JSON; undefined of too few pages. */
export function dictionaryOf(pages: readonly string[]): SiteDictionary | undefined {
  if (pages.length < fewestPages) return undefined;
  const counts = new Map<string, number>();
  for (const page of pages.toSorted((a, b) => a.length - b.length))
    for (const line of new Set(page.split(lineEnd))) counts.set(line, (counts.get(line) ?? 0) + 1);
  const linesOf = (isShared: boolean) =>
    [...counts].flatMap(([line, count]) => (count > 1 === isShared ? line : [])).join(lineEnd);
  const shared = Buffer.from(linesOf(true)).subarray(0, mostShared);
  const own = Buffer.from(linesOf(false)).subarray(0, mostBytes - shared.length);
  // What is at the end is referred to in fewer bytes.
  return dictionary(Buffer.concat([own, shared]));
}

/** The dictionary that a site's memory keeps; undefined where it is none. */
export function readDictionary(kept: string): SiteDictionary | undefined {
  try {
    return dictionary(zstdDecompressSync(Buffer.from(kept, "base64")));
  } catch {
    return undefined;
  }
}

function dictionary(bytes: Buffer): SiteDictionary {
  return {
    bytes,
    id: createHash("sha256").update(bytes).digest().subarray(0, idBytes),
    kept: zstdCompressSync(bytes).toString("base64"),
  };
}
