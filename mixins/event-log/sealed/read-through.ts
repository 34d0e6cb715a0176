import type { Bounds, EventLog, ReadBudget, WrittenEvent } from "../event-log.ts";
import { writtenEventOf } from "../stored-event.ts";
import type { SealedEntry } from "./segment.ts";
import type { Segment } from "./segment-index.ts";
import type { Segments } from "./segments.ts";

type Reads = Pick<EventLog, "readWithin" | "bounds" | "positionAt">;

interface Portion {
  events: WrittenEvent[];
  /** About the bytes of the bodies. */
  size: number;
  more: boolean;
  isSealed: boolean;
}

const keysNoted = 10_000;

/**
 * Reads a log whose older part is sealed. A position leaves the hot part once the index has its segment, so a reader that
 * asks the hot part first and the index second finds each position, and prefers either without a gap or a double.
 */
export class ReadThrough implements Reads {
  readonly #hot: Reads;
  readonly #segments: Segments;
  /** The last position of each key that is known to be sealed: up to it the hot part need not be asked first. */
  readonly #sealedTo = new Map<string, number>();

  constructor(hot: Reads, segments: Segments) {
    this.#hot = hot;
    this.#segments = segments;
  }

  async readWithin(keyId: string, after: number, budget: ReadBudget) {
    const events: WrittenEvent[] = [];
    for (let bytes = budget.bytes; ; ) {
      const left = { events: budget.events - events.length, bytes };
      if (left.events <= 0 || (events.length > 0 && bytes <= 0)) return { events, more: true };
      const portion = await this.#next(keyId, events.at(-1)?.seq ?? after, left);
      // A log reads one event whatever its size, so the first of this portion may be over the budget.
      if (events.length > 0 && portion.size > bytes) return { events, more: true };
      events.push(...portion.events);
      bytes -= portion.size;
      if (!portion.isSealed || portion.more) return { events, more: portion.more };
    }
  }

  async bounds(keyId: string): Promise<Bounds> {
    const hot = await this.#hot.bounds(keyId);
    if (hot.oldest <= 1) return hot;
    const oldest = await this.#segments.index.following(keyId, 0);
    return oldest ? { oldest: Math.min(oldest.first, hot.oldest), latest: hot.latest } : hot;
  }

  async positionAt(keyId: string, since: Date): Promise<number> {
    const [position, hot] = [await this.#hot.positionAt(keyId, since), await this.#hot.bounds(keyId)];
    if (position >= hot.oldest) return position;
    const { index } = this.#segments;
    const begun = await index.begunBefore(keyId, since.getTime());
    if (begun) return this.#positionIn(begun, since.getTime());
    const oldest = await index.following(keyId, 0);
    return oldest ? Math.min(oldest.first - 1, position) : position;
  }

  async #positionIn(segment: Segment, since: number): Promise<number> {
    if (segment.lastAt < since) return segment.last;
    const entries = await this.#segments.entries(segment);
    return entries.findLast(({ at }) => at < since)?.seq ?? segment.first;
  }

  async #next(keyId: string, after: number, budget: ReadBudget): Promise<Portion> {
    if (after < (this.#sealedTo.get(keyId) ?? 0)) {
      const sealed = await this.#sealed(keyId, after, budget);
      if (sealed) return sealed;
    }
    const hot = await this.#hot.readWithin(keyId, after, budget);
    const isNext = hot.events[0]?.seq === after + 1;
    const sealed = isNext ? null : await this.#sealed(keyId, after, budget);
    return sealed ?? { ...hot, size: sizeOf(hot.events), isSealed: false };
  }

  /** From one segment: the first that has something left. */
  async #sealed(keyId: string, after: number, budget: ReadBudget): Promise<Portion | null> {
    for (let position = after; ; ) {
      const segment = await this.#segments.index.following(keyId, position);
      if (!segment) return null;
      this.#note(keyId, segment.last);
      const entries = await this.#segments.entries(segment);
      const portion = portionOf(keyId, entries, position, budget);
      if (portion.events.length > 0) return portion;
      position = segment.last;
    }
  }

  #note(keyId: string, last: number): void {
    if (this.#sealedTo.size >= keysNoted) this.#sealedTo.clear();
    this.#sealedTo.set(keyId, Math.max(last, this.#sealedTo.get(keyId) ?? 0));
  }
}

/** `more` when the budget is used up within the segment. */
function portionOf(keyId: string, entries: SealedEntry[], after: number, budget: ReadBudget): Portion {
  const portion: Portion = { events: [], size: 0, more: false, isSealed: true };
  for (let n = firstAfter(entries, after); n < entries.length; n += 1) {
    const entry = entries[n] as SealedEntry;
    const isOver = portion.events.length > 0 && portion.size + entry.data.length > budget.bytes;
    if (isOver || portion.events.length === budget.events) return { ...portion, more: true };
    portion.events.push(writtenEventOf(keyId, entry.seq, entry));
    portion.size += entry.data.length;
  }
  return portion;
}

/** Where the first entry after a position is, found by bisection: positions rise. */
function firstAfter(entries: SealedEntry[], after: number): number {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((entries[middle]?.seq ?? 0) > after) to = middle;
    else from = middle + 1;
  }
  return from;
}

function sizeOf(events: WrittenEvent[]): number {
  return events.reduce((sum, { json }) => sum + json.length, 0);
}
