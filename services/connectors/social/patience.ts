import { setTimeout as sleep } from "node:timers/promises";
import { fail } from "../../contracts/errors.ts";

/** How long a network wants to be left alone. Each family of requests has a limit of its own. */
export interface Patience<Family extends string> {
  /** The network asks for no request of the family before a time (Unix milliseconds). */
  asked(family: Family, notBefore: number): void;
  /**
   * Resolves when requests of the family are welcome. Throws `connector_unavailable` with what is left to wait when the
   * signal ends that.
   */
  passed(family: Family, signal: AbortSignal): Promise<void>;
}

/** The longest delay that a timer takes. */
const longestMs = 2 ** 31 - 1;

export function patience<Family extends string>(network: string, now: () => number): Patience<Family> {
  const until = new Map<Family, number>();
  const left = (family: Family) => (until.get(family) ?? 0) - now();
  return {
    asked: (family, notBefore) => until.set(family, Math.max(until.get(family) ?? 0, notBefore)),
    async passed(family, signal) {
      for (let ms = left(family); ms > 0; ms = left(family)) {
        await sleep(Math.min(ms, longestMs), undefined, { signal }).catch(error => {
          const sentence = `${network} asks for a pause; try again later.`;
          throw fail("connector_unavailable", sentence, { retry_after: Math.ceil(ms / 1000) }, error);
        });
      }
    },
  };
}
