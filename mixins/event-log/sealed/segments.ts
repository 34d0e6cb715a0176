import { buffer } from "node:stream/consumers";
import { type Blobs, keyInGroup } from "../../store/blobs/blobs.ts";
import { BodyCache } from "../body-cache.ts";
import type { EventsToErase } from "../event-log.ts";
import { erasedContent, isToErase } from "../stored-event.ts";
import { packSegment, type SealedEntry, unpackSegment } from "./segment.ts";
import type { Segment, SegmentIndex, Wanted } from "./segment-index.ts";

/** Kept a while, since a reader proceeds through a segment page by page. */
interface Unpacked {
  entries: SealedEntry[];
  length: number;
}

const cachedLength = 16 * 1024 * 1024;
const removedTogether = 100;
/** Segments that one slice of an erasure unpacks. */
const erasedTogether = 4;
const contentType = "application/zstd";

/** The sealed segments of all keys: their blobs and the index. */
export class Segments {
  readonly index: SegmentIndex;
  readonly #blobs: Blobs;
  readonly #cache: BodyCache<Unpacked>;
  /** Segments that are being read: readers that wake together want the same. */
  readonly #reading = new Map<string, Promise<SealedEntry[]>>();

  /** `readers`: how many share the memory for what is kept a while. */
  constructor(index: SegmentIndex, blobs: Blobs, readers = 1) {
    this.index = index;
    this.#blobs = blobs;
    this.#cache = new BodyCache(cachedLength / readers, ({ length }) => length);
  }

  /** The entries of a segment, in order; none of one that was removed meanwhile. */
  async entries(segment: Segment): Promise<SealedEntry[]> {
    const cached = this.#cache.get(segment.blob);
    if (cached) return cached.entries;
    const reading = this.#reading.get(segment.blob) ?? this.#read(segment);
    this.#reading.set(segment.blob, reading);
    try {
      return await reading;
    } finally {
      this.#reading.delete(segment.blob);
    }
  }

  /** Writes a segment, and makes it readable if `isStillWanted` says so after it is planned. Repeating it is harmless. */
  async write(
    keyId: string,
    entries: SealedEntry[],
    isStillWanted: () => Promise<boolean>,
  ): Promise<boolean> {
    const [first, last] = [entries[0], entries.at(-1)];
    if (!first || !last) return false;
    const packed = await packSegment(entries);
    const blob = keyInGroup(groupOf(keyId));
    const range = { first: first.seq, last: last.seq, firstAt: first.at, lastAt: last.at };
    const segment = { blob, keyId, ...range, bytes: packed.length };
    await this.index.plan(segment);
    const isWanted = await isStillWanted();
    if (isWanted) await this.#blobs.put(packed, { owner: keyId, contentType, key: blob });
    if (isWanted && (await this.index.seal(blob))) return true;
    // It was withdrawn meanwhile: the log is dropped, or another node has taken over.
    await this.#remove([segment]);
    return false;
  }

  /** Erases, or counts, in some segments after a blob. Returns how many events, and the last blob; null at the end. */
  async eraseSlice(wanted: EventsToErase, after: string, dry: boolean) {
    const some = await this.index.sealedAfter(after, erasedTogether);
    let found = 0;
    for (const segment of some) {
      const entries = await this.#unpacked(segment);
      const ones = new Set(entries.filter(({ source, data }) => isToErase(wanted, source ?? "", data)));
      found += ones.size;
      if (dry || ones.size === 0) continue;
      const left = entries.map(entry => (ones.has(entry) ? { ...entry, ...erasedContent } : entry));
      await this.#replace(segment, left);
    }
    return { found, last: some.length < erasedTogether ? null : (some.at(-1)?.blob ?? null) };
  }

  /**
   * Writes a segment anew. Both are sealed for a moment: readers find either, and a repeat after a crash finds the new one.
   * Where it is withdrawn meanwhile, the old one stays, and the next look finds that.
   */
  async #replace(segment: Segment, entries: SealedEntry[]): Promise<void> {
    const others = async () => (await this.index.withPositionsOf(segment)).map(({ blob }) => blob);
    const isThere = async () => (await others()).includes(segment.blob);
    const isWritten = (await others()).length > 1 || (await this.write(segment.keyId, entries, isThere));
    if (isWritten) await this.#remove([segment]);
  }

  /** Removes segments for good. Returns how many positions they had. */
  async remove(wanted: Wanted): Promise<number> {
    let positions = 0;
    for (;;) {
      const some = await this.index.find(wanted, removedTogether);
      if (some.length === 0) return positions;
      // Another node may be about to seal what is only planned.
      await this.#remove(some, !("unsealed" in wanted));
      positions += some.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    }
  }

  /** Removes all segments of a key, and with them the place of their blobs. */
  async drop(keyId: string): Promise<void> {
    await this.remove({ keyId });
    // What a dead process left there is in no index.
    await this.#blobs.dropGroup(groupOf(keyId));
  }

  async #remove(segments: Segment[], sealedToo = true): Promise<void> {
    const all = segments.map(({ blob }) => blob);
    const staying = new Set(await this.index.withdraw(all, sealedToo));
    const blobs = all.filter(blob => !staying.has(blob));
    for (const blob of blobs) await this.#blobs.remove(blob);
    await this.index.forget(blobs);
  }

  /** None of one whose blob is gone. */
  async #unpacked({ blob, keyId }: Segment): Promise<SealedEntry[]> {
    const found = await this.#blobs.open(blob, keyId);
    return found ? await unpackSegment(await buffer(found.body)) : [];
  }

  async #read(segment: Segment): Promise<SealedEntry[]> {
    const entries = await this.#unpacked(segment);
    // A segment holds an event at least.
    if (entries.length === 0) return this.#missing(segment);
    const length = entries.reduce((sum, { data }) => sum + data.length, 0);
    this.#cache.set(segment.blob, { entries, length });
    return entries;
  }

  async #missing({ blob, keyId, first, last }: Segment): Promise<SealedEntry[]> {
    const following = await this.index.following(keyId, first - 1);
    // An erasure has written it anew.
    if (following?.blob !== blob) return following?.last === last ? await this.entries(following) : [];
    throw new Error(
      `The events ${first} to ${last} of the key ${keyId} cannot be read: the blob store has lost ${blob}. Restore it from a backup.`,
    );
  }
}

function groupOf(keyId: string): string {
  return `log/${keyId}`;
}
