import type { Leases } from "../../../mixins/coordination/leases/lease.ts";
import { fail } from "../../contracts/errors.ts";

/** Milliseconds; longer than a platform may take to answer the holder. */
const waitTimeoutMs = 60_000;

/** Runs work on one source one at a time, across all processes. */
export class SourceMutex {
  readonly #leases: Pick<Leases, "take" | "wait">;
  readonly #closing: AbortSignal;

  /** `closing` ends all waiting. */
  constructor(leases: Pick<Leases, "take" | "wait">, closing: AbortSignal) {
    this.#leases = leases;
    this.#closing = closing;
  }

  /** Throws `overloaded` when the mutex is not free in time, and at once when leases are unavailable. */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const late = AbortSignal.timeout(waitTimeoutMs);
    const signal = AbortSignal.any([this.#closing, late]);
    const mutex = `tracker/mutex/${name}`;
    const wait = () =>
      this.#leases.wait(mutex, signal).catch(error => {
        throw late.aborted
          ? fail("overloaded", "Other requests are changing this source; try again.", {}, error)
          : error;
      });
    // `wait` does not fail while leases are unavailable; `take` does.
    const lease = (await this.#leases.take(mutex)) ?? (await wait());
    try {
      return await work();
    } finally {
      await lease.release();
    }
  }
}
