import { setTimeout as sleep } from "node:timers/promises";
import { fail } from "../../contracts/errors.ts";
import type { DriverTools } from "./social-connector.ts";

/** How long a network wants to be left alone. Each family of requests has a limit of its own. */
export interface Patience<Family extends string> {
  /** The network asks for no request of the family before a time (Unix milliseconds). */
  asked(family: Family, notBefore: number): Promise<void>;
  /**
   * Resolves when requests of the family are welcome. Throws `connector_unavailable` with what is left to wait when the
   * signal ends that.
   */
  passed(family: Family, signal: AbortSignal): Promise<void>;
}

/** The longest delay that a timer takes. */
const longestMs = 2 ** 31 - 1;

export function patience<Family extends string>(
  network: string,
  { now, pauses }: Pick<DriverTools, "now" | "pauses">,
): Patience<Family> {
  const left = async (family: Family) => (await pauses.until(`${network} ${family}`)) - now();
  return {
    asked: (family, notBefore) => pauses.extend(`${network} ${family}`, notBefore),
    async passed(family, signal) {
      for (let ms = await left(family); ms > 0; ms = await left(family)) {
        await sleep(Math.min(ms, longestMs), undefined, { signal }).catch(error => {
          const sentence = `${network} asks for a pause; try again later.`;
          throw fail("connector_unavailable", sentence, { retry_after: Math.ceil(ms / 1000) }, error);
        });
      }
    },
  };
}
