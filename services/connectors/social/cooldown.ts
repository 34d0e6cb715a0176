import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../../mixins/store/store.ts";
import { fail } from "../../contracts/errors.ts";

/** Waits for as long as a network asks for. Each family of requests has its own limit. */
export interface Cooldown<Family extends string> {
  /** Records that the network wants no request of the family before a time (Unix milliseconds). */
  extend(family: Family, notBefore: number): Promise<void>;
  /**
   * Resolves when requests of the family are allowed. Throws `connector_unavailable` with the remaining wait when the
   * signal fires first.
   */
  wait(family: Family, signal: AbortSignal): Promise<void>;
}

/** The longest delay that a timer takes. */
const maxTimerMs = 2 ** 31 - 1;

export function cooldownOf<Family extends string>(
  network: string,
  { now, cooldowns }: { now(): number; cooldowns: CooldownStore },
): Cooldown<Family> {
  const left = async (family: Family) => (await cooldowns.until(`${network} ${family}`)) - now();
  return {
    extend: (family, notBefore) => cooldowns.extend(`${network} ${family}`, notBefore),
    async wait(family, signal) {
      for (let ms = await left(family); ms > 0; ms = await left(family)) {
        await sleep(Math.min(ms, maxTimerMs), undefined, { signal }).catch(error => {
          const message = `${network} asks this installation to wait. Try again later.`;
          throw fail("connector_unavailable", message, { retry_after: Math.ceil(ms / 1000) }, error);
        });
      }
    },
  };
}

/** When networks allow requests again. Shared by all processes: each obeys what a network asked of one of them. */
export interface CooldownStore {
  /** Unix milliseconds; in the past where no wait is asked for. `family`: requests of one network that share a limit. */
  until(family: string): Promise<number>;
  /** Keeps the later of the stored end and this one. */
  extend(family: string, until: number): Promise<void>;
}

/** `_id` is the family. */
interface StoredCooldown {
  _id: string;
  /** Unix milliseconds. */
  until: number;
}

export const cooldownsCollection = "social_cooldowns";

export function openCooldowns(store: Store<StoredCooldown>): CooldownStore {
  return {
    until: async family => (await store.findById(family))?.until ?? 0,
    async extend(family, until) {
      const later = (known: StoredCooldown | null) =>
        until > (known?.until ?? 0) ? { _id: family, until } : undefined;
      await store.change(family, later, "end of process");
    },
  };
}
