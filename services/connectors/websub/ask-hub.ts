import type { StoredHubSubscription, WebsubRoom } from "./room.ts";

/** Ten days, as the Recommendation suggests; the hub decides. */
const leaseSeconds = 864_000;

/**
 * Asks the hub for what the subscription wants (W3C WebSub, 5.1). It answers with a verification at the callback, now
 * or later. Never throws: whatever comes of it, the feed is polled.
 */
export async function askHub(room: WebsubRoom, subscription: StoredHubSubscription): Promise<void> {
  const { hub, topic, wants } = subscription;
  try {
    const status = await room.post(hub, formOf(room, subscription));
    const line = { hub, topic, wants, status };
    if (status >= 200 && status < 300) room.logger.info("websub.asked", line);
    else room.logger.warn("websub.refused", line);
  } catch (error) {
    room.logger.warn("websub.unreachable", { hub, topic, wants, error: String(error) });
  }
}

function formOf({ publicUrl, secrets }: WebsubRoom, subscription: StoredHubSubscription): URLSearchParams {
  const { _id, topic, wants } = subscription;
  return new URLSearchParams({
    "hub.mode": wants,
    "hub.topic": topic,
    "hub.callback": `${publicUrl}/websub/${_id}`,
    ...(wants === "subscribe" && {
      "hub.secret": secrets.reveal(subscription),
      "hub.lease_seconds": String(leaseSeconds),
    }),
  });
}
