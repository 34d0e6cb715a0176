import type { ServiceBroker } from "moleculer";
import { call } from "../../services/contracts/action.ts";
import { keysWithUses } from "../../services/contracts/keys.contract.ts";
import type { Use } from "../../services/domain/crawl/content-usage.ts";
import { remembered } from "../async/remembered.ts";

/** What keys say they want content for, by their ids; keys that say nothing are left out. */
type UsesOfKeys = ReadonlyMap<string, Use[]>;

export interface KeyUses {
  all(): Promise<UsesOfKeys>;
  /** What was asked before may be old. */
  forget(): void;
}

const timeoutMs = 5000;
/** For a service that missed the broadcast of a change. */
const maxAgeMs = 30_000;

/** Asks the keys service. While it is away the last answer serves; without one it rejects. */
export function keyUsesThrough(broker: ServiceBroker): KeyUses {
  let known: UsesOfKeys | undefined;
  const ask = async () => {
    try {
      const { keys } = await call(broker, keysWithUses, {}, { timeout: timeoutMs });
      known = new Map(keys.map(({ id, uses }) => [id, uses]));
    } catch (error) {
      if (known === undefined) throw error;
    }
    return known;
  };
  let answer = remembered(ask, maxAgeMs);
  return {
    all: () => answer(),
    forget: () => {
      answer = remembered(ask, maxAgeMs);
    },
  };
}
