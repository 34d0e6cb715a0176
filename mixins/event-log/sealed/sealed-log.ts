import type { Blobs } from "../../store/blobs/blobs.ts";
import { type EventLog, type EventsToErase, hotMs } from "../event-log.ts";
import { ReadThrough } from "./read-through.ts";
import { type HotPart, type SegmentLimits, sealBefore, segmentLimits } from "./sealing.ts";
import type { SegmentIndex } from "./segment-index.ts";
import { Segments } from "./segments.ts";

/** How long events are kept, and where those that are sealed. */
export interface Keeping {
  retentionMs: number;
  blobs: Blobs;
  /** Milliseconds for which an event is surely hot: those of the log by default, or the retention where it is shorter. */
  hotMs?: number;
  limits?: SegmentLimits;
  /** How many threads share the memory for segments that are read; one if it is not given. */
  readers?: number;
}

interface Parts {
  index: SegmentIndex;
  reads: Pick<EventLog, "readWithin" | "bounds" | "positionAt">;
  hot: HotPart;
  /** False once the log is closed: what is under way ends at its next step. */
  isOpen(): boolean;
}

/** What both drivers do alike with the part of the log that is sealed. */
export class SealedLog {
  readonly reads: ReadThrough;
  readonly #parts: Parts;
  readonly #segments: Segments;
  readonly #retentionMs: number;
  readonly #hotMs: number;
  readonly #limits: SegmentLimits;

  constructor({ retentionMs, blobs, ...given }: Keeping, parts: Parts) {
    this.#parts = parts;
    this.#segments = new Segments(parts.index, blobs, given.readers);
    this.#retentionMs = retentionMs;
    this.#hotMs = given.hotMs ?? Math.min(hotMs, retentionMs);
    this.#limits = given.limits ?? segmentLimits(retentionMs);
    this.reads = new ReadThrough(parts.reads, this.#segments);
  }

  /** Removes what ended before the retention, a segment as a whole. Returns how many positions went. */
  prune(now: number): Promise<number> {
    return this.#segments.remove({ endedBefore: now - this.#retentionMs });
  }

  async seal(now: number, signal?: AbortSignal): Promise<void> {
    const { hot, isOpen } = this.#parts;
    const goesOn = () => isOpen() && !signal?.aborted;
    await sealBefore(now - this.#hotMs, { hot, segments: this.#segments, limits: this.#limits }, goesOn);
  }

  /** Erases, or counts, in the segments that follow one in the order of their blobs. */
  erase(wanted: EventsToErase, after: string, dry: boolean) {
    return this.#segments.eraseSlice(wanted, after, dry);
  }

  async removeUnsealed(): Promise<void> {
    await this.#segments.remove({ unsealed: true });
  }

  drop(keyId: string): Promise<void> {
    return this.#segments.drop(keyId);
  }
}
