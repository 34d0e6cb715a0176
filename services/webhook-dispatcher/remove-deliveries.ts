import { setImmediate as nextTurn } from "node:timers/promises";
import type { Query, Store } from "../../mixins/store/store.ts";
import type { StoredDelivery } from "./room.ts";

/** Those that go at a time: some milliseconds. */
const sliceSize = 500;

/** Removes what a query finds, oldest first, in slices with other work in between; the signal ends it between two. */
export async function removeDeliveries(
  deliveries: Pick<Store<StoredDelivery>, "find" | "removeMany">,
  query: Query<StoredDelivery>,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const [last] = await deliveries.find({ query, sort: ["_id"], offset: sliceSize - 1, limit: 1 });
    await deliveries.removeMany(last ? { ...query, _id: { $lte: last._id } } : query);
    if (!last) return;
    await nextTurn();
  }
}
