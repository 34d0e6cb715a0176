const bytes = 8;

/**
 * The number of the last append that survives a loss of power, in memory that threads share: a thread that reads the log by a
 * connection of its own finds entries as soon as they are committed. The number never falls, so a reader that takes it before
 * it reads sees nothing too early.
 */
export class DurableGate {
  readonly memory: SharedArrayBuffer;
  readonly #number: BigInt64Array;

  /** `memory`: that of the gate in the thread that appends. */
  constructor(memory = new SharedArrayBuffer(bytes)) {
    this.memory = memory;
    this.#number = new BigInt64Array(memory);
  }

  /** Shows readers all appends up to a number. */
  open(to: number): void {
    Atomics.store(this.#number, 0, BigInt(to));
  }

  /** Readers may see the entries of appends up to this number. */
  get to(): number {
    return Number(Atomics.load(this.#number, 0));
  }
}
