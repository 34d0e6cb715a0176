/** Later than any time. */
const never = 2n ** 62n;
/** The places in the shared memory: a time (8 bytes), and a count of its changes. */
const bytes = 16;
const countAt = 2;

/**
 * From which time (ms) on entries of a log may not survive a loss of power yet, in memory that threads share: a thread that
 * reads the log by a connection of its own finds entries as soon as they are committed.
 */
export class DurableGate {
  readonly memory: SharedArrayBuffer;
  readonly #times: BigInt64Array;
  readonly #counts: Int32Array;

  /** `memory`: that of the gate in the thread that appends. */
  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(bytes);
    this.#times = new BigInt64Array(this.memory, 0, 1);
    this.#counts = new Int32Array(this.memory);
    if (!memory) Atomics.store(this.#times, 0, never);
  }

  /** Hides what is appended from a time on. Call it before the transaction ends. */
  hideFrom(at: number): void {
    const time = BigInt(Math.floor(at));
    if (time < Atomics.load(this.#times, 0)) Atomics.store(this.#times, 0, time);
  }

  /** Hides what is appended from the earliest of these times on, and no more. */
  set(times: number[]): void {
    const first = times.length > 0 ? BigInt(Math.floor(Math.min(...times))) : never;
    Atomics.store(this.#times, 0, first);
    Atomics.add(this.#counts, countAt, 1);
    Atomics.notify(this.#counts, countAt);
  }

  /** Entries with an earlier time may be read, if the answer is asked for after they were found. */
  get hiddenFrom(): number {
    return Number(Atomics.load(this.#times, 0));
  }

  /** How often `set` was called; give it to `changed`. */
  get count(): number {
    return Atomics.load(this.#counts, countAt);
  }

  /** Resolves once the count is another one. */
  async changed(count: number): Promise<void> {
    const waiting = Atomics.waitAsync(this.#counts, countAt, count);
    if (waiting.async) await waiting.value;
  }
}
