import { setImmediate as yieldToLoop } from "node:timers/promises";
import { hotMs } from "../event-log.ts";
import type { SealedEntry } from "./segment.ts";
import type { Segments } from "./segments.ts";

/** The part of the log that is not sealed. */
export interface HotPart {
  /** Keys that may have entries of before a time (ms), slice by slice. */
  keysBefore(before: number): AsyncIterable<string[]>;
  /** The first entry of a key. */
  first(keyId: string): Promise<{ seq: number; at: number } | null>;
  /** The last position whose entry is older than a time (ms). */
  positionAt(keyId: string, before: number): Promise<number>;
  /** Entries from the first one to a position, within a budget of bytes, with `last` the position up to which they reach. */
  entries(keyId: string, to: number, budget: { events: number; bytes: number }): Promise<SealedSlice>;
  /** Removes the entries up to a position that are not younger than a time (ms). */
  cut(keyId: string, to: number, at: number): Promise<void>;
}

export interface SealedSlice {
  entries: SealedEntry[];
  /** The position and time (ms) of the last entry that was looked at, also where its body is gone. */
  last: number;
  lastAt: number;
}

/** What one segment holds at most; it is also sealed with less once its first entry could have been sealed for `spanMs`. */
export interface SegmentLimits {
  events: number;
  /** The length of all bodies as JSON. */
  bytes: number;
  spanMs: number;
}

const dayMs = 86_400_000;

/** For how long (ms) an event may be read: a segment goes as a whole, once its last event is older than the retention. */
export function longestLifeMs(retentionMs: number): number {
  return retentionMs > hotMs ? retentionMs + segmentLimits(retentionMs).spanMs : retentionMs;
}

/** Small enough to be unpacked for a page of events, and large enough to be few. */
export function segmentLimits(retentionMs: number): SegmentLimits {
  return { events: 2000, bytes: 2_000_000, spanMs: Math.min(7 * dayMs, retentionMs / 10) };
}

/**
 * Moves entries of before a time (ms) into segments. Each step can be repeated after a crash: a segment that was only
 * planned is removed and written anew, and of a sealed one the hot entries are cut. Continues with other keys when one
 * fails, and rejects with the first error at the end.
 */
export async function sealBefore(
  before: number,
  { hot, segments, limits }: { hot: HotPart; segments: Segments; limits: SegmentLimits },
  goesOn: () => boolean,
): Promise<void> {
  await segments.remove({ unsealed: true });
  const failures: unknown[] = [];
  for await (const keyIds of hot.keysBefore(before))
    for (const keyId of keyIds) {
      if (!goesOn()) return;
      const sealing = sealKey(keyId, before, { hot, segments, limits }, goesOn);
      await sealing.catch((error: unknown) => failures.push(error));
      await yieldToLoop();
    }
  if (failures.length > 0) throw failures[0];
}

async function sealKey(
  keyId: string,
  before: number,
  { hot, segments, limits }: { hot: HotPart; segments: Segments; limits: SegmentLimits },
  goesOn: () => boolean,
): Promise<void> {
  for (let isDone = false; !isDone && goesOn(); ) {
    const first = await hot.first(keyId);
    if (!first || first.at >= before) return;
    const to = await hot.positionAt(keyId, before);
    const isFull = to - first.seq + 1 >= limits.events;
    if (!isFull && first.at >= before - limits.spanMs) return;
    if (await cutSealed(keyId, first, { hot, segments })) continue;
    const { entries, last, lastAt } = await hot.entries(keyId, to, limits);
    const isThere = async () => (await hot.first(keyId))?.seq === first.seq;
    const isSealed = entries.length === 0 || (await segments.write(keyId, entries, isThere));
    if (isSealed) await hot.cut(keyId, last, lastAt);
    isDone = !isSealed;
  }
}

/** Cuts what a crash has left of entries whose segment is sealed; false where there is nothing of that. */
async function cutSealed(
  keyId: string,
  first: { seq: number; at: number },
  { hot, segments }: { hot: HotPart; segments: Segments },
): Promise<boolean> {
  const newest = await segments.index.begunBefore(keyId, Number.MAX_SAFE_INTEGER);
  // The time tells them from those of a Redis that has lost its count and begins anew.
  if (!newest || first.seq > newest.last || first.at > newest.lastAt) return false;
  await hot.cut(keyId, newest.last, newest.lastAt);
  return true;
}
