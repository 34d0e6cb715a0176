import type { ServiceBroker } from "moleculer";
import { call } from "../../services/contracts/action.ts";
import { existingKeys } from "../../services/contracts/keys.contract.ts";

/** Those of some keys, at most 500, that exist. */
export type Existing = (keyIds: string[]) => Promise<string[]>;

const timeoutMs = 5000;

/** Asks the room of keys. */
export function existingThrough(broker: ServiceBroker): Existing {
  return async ids => (await call(broker, existingKeys, { ids }, { timeout: timeoutMs })).ids;
}
