import type { Leases } from "../../mixins/lease/lease.ts";
import { fail } from "../contracts/errors.ts";

/** Longer than a platform has to answer whoever is before us. */
const patienceMs = 60_000;

/** Lets work that bears one name be done one at a time, by whichever process. */
export class Turns {
  readonly #leases: Pick<Leases, "take" | "wait">;
  readonly #closing: AbortSignal;

  /** `closing` ends what waits. */
  constructor(leases: Pick<Leases, "take" | "wait">, closing: AbortSignal) {
    this.#leases = leases;
    this.#closing = closing;
  }

  /** Throws `overloaded` when the turn does not come in time, and at once where turns cannot be had at all. */
  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const late = AbortSignal.timeout(patienceMs);
    const signal = AbortSignal.any([this.#closing, late]);
    const turn = `tracker/turn/${name}`;
    const wait = () =>
      this.#leases.wait(turn, signal).catch(error => {
        throw late.aborted
          ? fail("overloaded", "Others are busy with this source; try again.", {}, error)
          : error;
      });
    // Who waits is not told of leases that are out of reach.
    const lease = (await this.#leases.take(turn)) ?? (await wait());
    try {
      return await work();
    } finally {
      await lease.release();
    }
  }
}
