import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventStream } from "./event-stream.ts";
import { type Ending, keyGone, stopping } from "./frames.ts";

/** As many as can be asked for at a time; more have their turn later. */
const keysPerRound = 500;
/** Each reads an event, of 256 KB at the most, and hands it over before the next ones are woken. */
const wokenTogether = 64;

/** Every open stream of this process, by key: an append wakes the readers of the keys whose logs grew and no others. */
export class Registry {
  readonly #streams = new Map<string, Set<EventStream>>();
  readonly #existing: (keyIds: string[]) => Promise<string[]>;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #checking = false;
  #round: MapIterator<string> | undefined;

  /** `existing` tells which of some keys there are. */
  constructor(
    existing: (keyIds: string[]) => Promise<string[]>,
    onError: (error: unknown) => void = () => undefined,
  ) {
    this.#existing = existing;
    this.#onError = onError;
  }

  get size(): number {
    let size = 0;
    for (const streams of this.#streams.values()) size += streams.size;
    return size;
  }

  add(stream: EventStream): void {
    const { keyId } = stream;
    const streams = this.#streams.get(keyId);
    if (streams) streams.add(stream);
    else this.#streams.set(keyId, new Set([stream]));
  }

  remove(stream: EventStream): void {
    const { keyId } = stream;
    const streams = this.#streams.get(keyId);
    if (streams?.delete(stream) && streams.size === 0) this.#streams.delete(keyId);
  }

  /** The first at once, the others as soon as those have read: ten thousand must not hold an event at a time. */
  wake(keyIds: string[]): void {
    void wakeInTurns(keyIds.flatMap(keyId => [...(this.#streams.get(keyId) ?? [])]));
  }

  endKey(keyId: string, ending: Ending = keyGone): void {
    for (const stream of [...(this.#streams.get(keyId) ?? [])]) stream.end(ending);
  }

  endAll(): void {
    for (const keyId of [...this.#streams.keys()]) this.endKey(keyId, stopping);
  }

  /** The broadcast of a deletion is a hint that may be lost, so keys are looked up again, some at a time. */
  startRechecking(everyMs: number): void {
    this.#timer = setInterval(() => void this.#recheck(), everyMs);
  }

  stopRechecking(): void {
    clearInterval(this.#timer);
  }

  async #recheck(): Promise<void> {
    if (this.#checking) return;
    this.#checking = true;
    try {
      const keyIds = this.#nextKeys();
      const left = new Set(keyIds.length === 0 ? [] : await this.#existing(keyIds));
      for (const keyId of keyIds) if (!left.has(keyId)) this.endKey(keyId);
    } catch (error) {
      // In doubt a key is there.
      this.#onError(error);
    } finally {
      this.#checking = false;
    }
  }

  #nextKeys(): string[] {
    this.#round ??= this.#streams.keys();
    const keyIds: string[] = [];
    while (keyIds.length < keysPerRound) {
      const { value, done } = this.#round.next();
      if (done) {
        this.#round = undefined;
        break;
      }
      keyIds.push(value);
    }
    return keyIds;
  }
}

async function wakeInTurns(streams: EventStream[]): Promise<void> {
  for (let at = 0; at < streams.length; at += wokenTogether) {
    if (at > 0) await nextTurn();
    for (const stream of streams.slice(at, at + wokenTogether)) stream.wake();
  }
}
