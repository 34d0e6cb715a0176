import type { Leases } from "../../mixins/lease/lease.ts";
import { fail } from "../contracts/errors.ts";

/** Longer than a platform has to answer whoever is before us. */
const patienceMs = 60_000;

/** Lets work that bears one name be done one at a time, by whichever process. */
export class Turns {
  readonly #leases: Pick<Leases, "wait">;
  readonly #closing: AbortSignal;

  /** `closing` ends what waits. */
  constructor(leases: Pick<Leases, "wait">, closing: AbortSignal) {
    this.#leases = leases;
    this.#closing = closing;
  }

  /** Throws `overloaded` when the turn does not come in time. */
  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const late = AbortSignal.timeout(patienceMs);
    const signal = AbortSignal.any([this.#closing, late]);
    const lease = await this.#leases.wait(`tracker/turn/${name}`, signal).catch(error => {
      throw late.aborted
        ? fail("overloaded", "Others are busy with this source; try again.", {}, error)
        : error;
    });
    try {
      return await work();
    } finally {
      await lease.release();
    }
  }
}
