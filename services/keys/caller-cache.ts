import type { Caller } from "../contracts/caller.ts";

/**
 * Callers by look-up value, the least recently used dropped first. A read that began before a key changed is not kept:
 * `remember` wants the `version` from before the read.
 */
export class CallerCache {
  readonly #callers = new Map<string, Caller>();
  readonly #capacity: number;
  #version = 0;

  constructor(capacity = 10_000) {
    this.#capacity = capacity;
  }

  get version(): number {
    return this.#version;
  }

  get(lookup: string): Caller | undefined {
    const caller = this.#callers.get(lookup);
    if (!caller) return undefined;
    this.#callers.delete(lookup);
    this.#callers.set(lookup, caller);
    return caller;
  }

  remember(lookup: string, caller: Caller, version: number): void {
    if (version !== this.#version) return;
    this.#callers.set(lookup, caller);
    const [oldest] = this.#callers.keys();
    if (this.#callers.size > this.#capacity && oldest !== undefined) this.#callers.delete(oldest);
  }

  /** To be called after the change is stored. */
  forget(lookup: string): void {
    this.#version += 1;
    this.#callers.delete(lookup);
  }
}
