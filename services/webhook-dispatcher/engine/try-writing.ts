import type { Store } from "../../../mixins/store/store.ts";
import type { StoredDelivery } from "../room.ts";

/** Older than any delivery, and of no key: should it ever stay behind, it goes with those past the retention. */
const _id = "0".repeat(26);

/** Rejects when the store cannot be written; leaves nothing behind. */
export async function tryWriting(deliveries: Store<StoredDelivery>): Promise<void> {
  await deliveries.upsert(_id, { $set: { keyId: "" } });
  await deliveries.remove(_id);
}
