import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventStream, StreamKey } from "./event-stream.ts";
import { type Ending, keyGone, stopping } from "./frames.ts";

/** Bounds what looking keys up again costs, however many are connected. */
const keysPerRound = 200;
/** Each reads an event, of 256 KB at the most, and hands it over before the next ones are woken. */
const wokenTogether = 64;

/** Every open stream of this process, by key: an append wakes the readers of the keys whose logs grew and no others. */
export class Registry {
  readonly #streams = new Map<string, Set<EventStream>>();
  readonly #isValid: (key: StreamKey) => Promise<boolean>;
  #timer: NodeJS.Timeout | undefined;
  #checking = false;
  #round: MapIterator<Set<EventStream>> | undefined;

  /** `isValid` answers true when in doubt. */
  constructor(isValid: (key: StreamKey) => Promise<boolean>) {
    this.#isValid = isValid;
  }

  get size(): number {
    let size = 0;
    for (const streams of this.#streams.values()) size += streams.size;
    return size;
  }

  add(stream: EventStream): void {
    const { keyId } = stream.key;
    const streams = this.#streams.get(keyId);
    if (streams) streams.add(stream);
    else this.#streams.set(keyId, new Set([stream]));
  }

  remove(stream: EventStream): void {
    const { keyId } = stream.key;
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
    await this.#nextKeys();
    this.#checking = false;
  }

  async #nextKeys(): Promise<void> {
    this.#round ??= this.#streams.values();
    for (let asked = 0; asked < keysPerRound; asked += 1) {
      const { value, done } = this.#round.next();
      if (done) {
        this.#round = undefined;
        return;
      }
      const [first] = value;
      if (first && !(await this.#isValid(first.key))) this.endKey(first.key.keyId);
    }
  }
}

async function wakeInTurns(streams: EventStream[]): Promise<void> {
  for (let at = 0; at < streams.length; at += wokenTogether) {
    if (at > 0) await nextTurn();
    for (const stream of streams.slice(at, at + wokenTogether)) stream.wake();
  }
}
