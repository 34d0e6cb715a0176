import type { ServiceBroker } from "moleculer";
import { call } from "../../services/contracts/action.ts";
import { existingKeys } from "../../services/contracts/keys.contract.ts";
import { pagesOf } from "../store/pages.ts";
import type { Store } from "../store/store.ts";

/** Returns those of the given keys, at most 500, that exist. */
export type ExistingKeys = (keyIds: string[]) => Promise<string[]>;

const timeoutMs = 5000;

/** Asks the keys service. */
export function existingKeysThrough(broker: ServiceBroker): ExistingKeys {
  return async ids => (await call(broker, existingKeys, { ids }, { timeout: timeoutMs })).ids;
}

const pageSize = 200;

/**
 * Deletes what is left of deleted keys, for services that missed the broadcast, and returns how many keys there were. The
 * records in `stores` name their key; the ids of the others are ids of keys, or begin with one and a colon. They are
 * checked a page at a time. A key exists before anything is stored for it, and its id is never used again, so a key that
 * does not exist was deleted.
 */
export async function forgetMissingKeys(
  stores: Pick<Store<{ _id: string; keyId?: string }>, "find">[],
  existing: ExistingKeys,
  forget: (keyId: string) => Promise<void>,
  signal: AbortSignal,
): Promise<number> {
  let forgotten = 0;
  for (const store of stores)
    for await (const page of pagesOf(store, { limit: pageSize, signal })) {
      const keyIds = [...new Set(page.map(({ _id, keyId }) => keyId ?? _id.split(":", 1)[0] ?? _id))];
      const left = new Set(await existing(keyIds));
      for (const keyId of keyIds.filter(each => !left.has(each))) {
        if (signal.aborted) return forgotten;
        await forget(keyId);
        forgotten += 1;
      }
    }
  return forgotten;
}
