import type { EventLog } from "../../mixins/event-log/event-log.ts";
import type { Store } from "../../mixins/store/store.ts";
import { type KeysContext, openContext, type StoredKey } from "../../services/keys/context.ts";

/** The context of the keys service on a store, for operations that append no event. */
export function keysContext(keys: Store<StoredKey>, masterSecret: string): KeysContext {
  const log = {} as EventLog;
  return openContext({
    keys,
    log,
    masterSecret,
    keysPerOwner: 10,
    now: Date.now,
    onError: (_, error) => Promise.reject(error),
  });
}
