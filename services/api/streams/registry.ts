import { setImmediate as yieldToLoop } from "node:timers/promises";
import { type Periodic, periodic } from "../../../mixins/async/periodic.ts";
import type { Caller } from "../../contracts/caller.ts";
import type { KeyScope } from "../../contracts/key-scopes.ts";
import { requireScope, requireUnexpired } from "../http/standing.ts";
import { type Ending, keyGone, refusalEnding, stopping } from "./protocol.ts";

/** How many keys one call can ask for; the next rounds check the others. */
const keysPerRound = 500;
/** Each reads an event of at most 256 KB and hands it over before the next ones wake. */
const wokenTogether = 64;

/** What reads the log of a key. */
export interface Listener {
  readonly keyId: string;
  /** The log may have grown. */
  wake(): void;
}

/** What the registry does to a stream. */
export interface OpenStream extends Listener {
  /** The scopes of which any one lets its key keep it open. */
  readonly scopes: readonly KeyScope[];
  end(ending: Ending): void;
}

/** The open streams of this process, by key. An append wakes only those that read the logs which grew. */
export class Registry {
  readonly #streams = new ByKey<OpenStream>();
  readonly #listeners = new ByKey<Listener>();
  readonly #callers: (keyIds: string[]) => Promise<Caller[]>;
  readonly #onError: (error: unknown) => void;
  readonly #now: () => number;
  #rechecking: Periodic | undefined;
  #round: MapIterator<string> | undefined;

  /** `callers` returns those of some keys that exist. */
  constructor(
    callers: (keyIds: string[]) => Promise<Caller[]>,
    onError: (error: unknown) => void,
    now: () => number = Date.now,
  ) {
    this.#callers = callers;
    this.#onError = onError;
    this.#now = now;
  }

  get size(): number {
    return this.#streams.size;
  }

  add(stream: OpenStream): void {
    this.#streams.add(stream);
    this.listen(stream);
  }

  remove(stream: OpenStream): void {
    this.#streams.delete(stream);
    this.unlisten(stream);
  }

  /** Wakes it when the log of its key may have grown. */
  listen(listener: Listener): void {
    this.#listeners.add(listener);
  }

  /** Wakes it no more. A stream stays open meanwhile: another reader serves it. */
  unlisten(listener: Listener): void {
    this.#listeners.delete(listener);
  }

  /** Wakes the first at once and the others when those have read: ten thousand must not hold an event each. */
  wake(keyIds: string[]): void {
    void wakeInTicks(keyIds.flatMap(keyId => [...this.#listeners.of(keyId)]));
  }

  endKey(keyId: string, ending: Ending = keyGone): void {
    for (const stream of [...this.#streams.of(keyId)]) stream.end(ending);
  }

  /** Checks a key that was changed. Where that fails, the next round does it. */
  async checkKey(keyId: string): Promise<void> {
    if (this.#streams.of(keyId).size > 0) await this.#check([keyId]).catch(this.#onError);
  }

  endAll(): void {
    for (const keyId of [...this.#streams.keys()]) this.endKey(keyId, stopping);
  }

  /** Keys end by themselves, and the broadcast of a change may be lost: the keys are checked again, some at a time. */
  startRechecking(everyMs: number): void {
    // Report a failed check, and end no stream for it.
    this.#rechecking = periodic(() => this.#recheck(), { everyMs, onError: this.#onError });
  }

  stopRechecking(): void {
    void this.#rechecking?.stop();
  }

  async #recheck(): Promise<void> {
    await this.#check(this.#nextKeys());
  }

  /** Ends the streams of keys that are gone, have expired, or have lost the scope. */
  async #check(keyIds: string[]): Promise<void> {
    const found = keyIds.length === 0 ? [] : await this.#callers(keyIds);
    const callers = new Map(found.map(caller => [caller.keyId, caller]));
    for (const keyId of keyIds)
      for (const stream of [...this.#streams.of(keyId)]) {
        const ending = this.#endingOf(stream, callers.get(keyId));
        if (ending) stream.end(ending);
      }
  }

  #endingOf({ scopes }: OpenStream, caller: Caller | undefined): Ending | undefined {
    if (!caller) return keyGone;
    try {
      requireUnexpired(caller, this.#now());
      requireScope(caller, scopes);
      return undefined;
    } catch (error) {
      return refusalEnding(error);
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

const none: ReadonlySet<never> = new Set();

class ByKey<Value extends { readonly keyId: string }> {
  readonly #sets = new Map<string, Set<Value>>();

  get size(): number {
    let size = 0;
    for (const values of this.#sets.values()) size += values.size;
    return size;
  }

  keys(): MapIterator<string> {
    return this.#sets.keys();
  }

  of(keyId: string): ReadonlySet<Value> {
    return this.#sets.get(keyId) ?? none;
  }

  add(value: Value): void {
    const values = this.#sets.get(value.keyId);
    if (values) values.add(value);
    else this.#sets.set(value.keyId, new Set([value]));
  }

  delete(value: Value): void {
    const values = this.#sets.get(value.keyId);
    if (values?.delete(value) && values.size === 0) this.#sets.delete(value.keyId);
  }
}

async function wakeInTicks(streams: Listener[]): Promise<void> {
  for (let at = 0; at < streams.length; at += wokenTogether) {
    if (at > 0) await yieldToLoop();
    for (const stream of streams.slice(at, at + wokenTogether)) stream.wake();
  }
}
