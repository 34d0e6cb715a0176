import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { FindOptions } from "../../../mixins/store/store.ts";
import type { TrackerStores } from "../../../services/tracker/context.ts";
import type { StoredSubscription } from "../../../services/tracker/sources.store.ts";
import { sourcesOfKey } from "../../../services/tracker/tracking/tracked-sources.ts";

test("other work runs while the many sources of a key are read", async () => {
  const ids = Array.from({ length: 2_600 }, (_, n) => String(n).padStart(6, "0")).reverse();
  const stores = {
    subscriptions: {
      find: async ({ query, limit }: FindOptions<StoredSubscription>) => {
        const { $lt = "" } = (query?._id ?? {}) as { $lt?: string };
        return ids
          .filter(id => id < $lt)
          .slice(0, limit)
          .map(_id => ({ _id, sourceId: _id }));
      },
    },
    sources: { find: async () => ids.map(_id => ({ _id })) },
  } as unknown as TrackerStores;
  let [turns, isReading, read] = [0, true, 0];
  const others = (async () => {
    for (; isReading; turns += 1) await yieldToLoop();
  })();
  for await (const _ of sourcesOfKey(stores, "k", ["rss"])) read += 1;
  isReading = false;
  await others;
  expect(read).toBe(ids.length);
  expect(turns).toBeGreaterThanOrEqual(5);
});
