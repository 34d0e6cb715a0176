import { askHub } from "./ask-hub.ts";
import { type StoredHubSubscription, subscriptionsCollection, type WebsubRoom } from "./room.ts";

/** Ends the subscription of a feed that nobody tracks any more. A hub that does not hear of it ends it with the lease. */
export async function leaveHub(room: WebsubRoom, externalId: string): Promise<void> {
  const left = await room.subscriptions.transaction(transaction => {
    const subscriptions = transaction.collection<StoredHubSubscription>(subscriptionsCollection);
    const [known] = subscriptions.find({ query: { externalId }, limit: 1 });
    // What was never verified ends by not being so.
    if (known?.leaseUntil === 0) subscriptions.removeById(known._id);
    if (!known || known.leaseUntil === 0) return null;
    const $set = { wants: "unsubscribe" as const, askedAt: room.now(), renewAt: 0 };
    return subscriptions.updateById(known._id, { $set });
  });
  if (left) await askHub(room, left);
}
