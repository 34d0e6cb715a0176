import { fail } from "../../contracts/errors.ts";
import type { HubDelivery } from "../../contracts/websub.contract.ts";
import { isSigned } from "./is-signed.ts";
import { leaveHub } from "./leave-hub.ts";
import type { WebsubRoom } from "./room.ts";

/**
 * Takes what a hub sends as a hint: the feed itself is read soon, so that no hub can put anything into it. Without a
 * good signature it is ignored, and the hub not told (W3C WebSub, 7.1). 410 when there is no such subscription.
 */
export async function receiveDelivery(room: WebsubRoom, delivery: HubDelivery): Promise<void> {
  const { token, signature, body } = delivery;
  const subscription = await room.subscriptions.findById(token);
  if (!subscription || subscription.wants === "unsubscribe")
    throw fail("expired", "There is no such subscription any more.");
  const isGood = isSigned(Buffer.from(body, "base64"), signature, room.secrets.reveal(subscription));
  if (subscription.wants !== "subscribe" || !isGood) {
    room.logger.warn("websub.ignored", { hub: subscription.hub, topic: subscription.topic });
    return;
  }
  const { kind, externalId } = subscription;
  const { isTracked } = await room.pollSoon({ kind, externalId });
  if (!isTracked) await leaveHub(room, externalId);
}
