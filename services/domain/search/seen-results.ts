import { createHash } from "node:crypto";
import { canonicalUrl, withoutTracking } from "../url/canonical-url.ts";

/** A result of a search, by its canonical address. */
export interface NewResult<Result> {
  /** Hash of the address, which identifies the result within its search. */
  key: string;
  url: string;
  result: Result;
}

/** Characters of a hash of 64 bits. */
const keyLength = 11;
/** Addresses that are remembered, of some 110 KB. */
export const mostSeen = 10_000;

/**
 * The results that the search has not shown before, each address once, and the addresses that it has shown by now: hashes in
 * a row, what was seen last at the end. What was not seen for longest is forgotten first.
 */
export function newResults<Result extends { url: string }>(
  seen: string,
  results: readonly Result[],
): { fresh: NewResult<Result>[]; seen: string } {
  const known = new Map<string, number>();
  for (let at = 0; at < seen.length; at += keyLength)
    known.set(seen.slice(at, at + keyLength), at / keyLength);
  const fresh = new Map<string, NewResult<Result>>();
  const renewed = new Set<string>();
  // A memory that has room forgets nothing; it is written only where it changes.
  const isOld = (place: number) => known.size > mostSeen / 2 && place < known.size / 2;
  for (const result of results) {
    const address = canonicalUrl(result.url);
    if (!address) continue;
    const key = createHash("sha256").update(address.key).digest("base64url").slice(0, keyLength);
    const place = known.get(key);
    if (place === undefined && !fresh.has(key))
      fresh.set(key, { key, url: withoutTracking(address.url), result });
    if (place !== undefined && isOld(place)) renewed.add(key);
  }
  if (fresh.size === 0 && renewed.size === 0) return { fresh: [], seen };
  const kept = [...known.keys()].filter(key => !renewed.has(key));
  const all = [...kept, ...renewed, ...fresh.keys()].slice(-mostSeen);
  return { fresh: [...fresh.values()], seen: all.join("") };
}
