import { randomBytes } from "node:crypto";
import { backoff } from "../pace.ts";
import { askHub } from "./ask-hub.ts";
import { type Hub, type StoredHubSubscription, subscriptionsCollection, type WebsubRoom } from "./room.ts";

/** A hub has promised to tell what is new. */
export interface HubLease {
  /** Milliseconds until it is to be renewed. */
  renewInMs: number;
}

/**
 * Keeps a feed subscribed at the hub that it names: asks where there is no subscription or its lease runs out. The
 * lease that stands then; undefined when the feed has to be polled as if there were no hub. Never throws.
 */
export async function keepSubscription(
  room: WebsubRoom,
  externalId: string,
  hub: Hub,
): Promise<HubLease | undefined> {
  try {
    const { subscription, isToBeAsked } = await claim(room, externalId, hub);
    if (isToBeAsked) await askHub(room, subscription);
    const current = await room.subscriptions.findById(subscription._id);
    return current ? leaseOf(current, hub, room.now()) : undefined;
  } catch (error) {
    room.logger.warn("websub.broken", { externalId, error: String(error) });
    return undefined;
  }
}

function leaseOf(subscription: StoredHubSubscription, hub: Hub, now: number): HubLease | undefined {
  const { wants, renewAt } = subscription;
  const stands = wants === "subscribe" && isAt(subscription, hub) && renewAt > now;
  return stands ? { renewInMs: renewAt - now } : undefined;
}

/** Writes down that the hub is asked before it is, so that a crash in between does not ask it again and again. */
function claim(
  room: WebsubRoom,
  externalId: string,
  hub: Hub,
): Promise<{ subscription: StoredHubSubscription; isToBeAsked: boolean }> {
  const now = room.now();
  return room.subscriptions.transaction(transaction => {
    const subscriptions = transaction.collection<StoredHubSubscription>(subscriptionsCollection);
    const [known] = subscriptions.find({ query: { externalId }, limit: 1 });
    if (known && (leaseOf(known, hub, now) || now < nextAskAt(known, room.minIntervalMs)))
      return { subscription: known, isToBeAsked: false };
    const asked = { wants: "subscribe" as const, askedAt: now, tries: (known?.tries ?? 0) + 1 };
    const renewed = known && isAt(known, hub) && subscriptions.updateById(known._id, { $set: asked });
    if (known && !renewed) subscriptions.removeById(known._id);
    const subscription =
      renewed || subscriptions.insert({ ...newSubscription(room, externalId, hub), ...asked });
    return { subscription, isToBeAsked: true };
  });
}

function isAt({ hub, topic }: StoredHubSubscription, wanted: Hub): boolean {
  return hub === wanted.url && topic === wanted.topic;
}

function nextAskAt({ wants, askedAt, tries }: StoredHubSubscription, minIntervalMs: number): number {
  return wants === "unsubscribe" ? 0 : askedAt + backoff(tries, minIntervalMs);
}

function newSubscription({ secrets }: WebsubRoom, externalId: string, { url, topic }: Hub) {
  const _id = randomBytes(32).toString("base64url");
  const sealed = secrets.issue(_id, topic);
  return { _id, kind: "rss" as const, externalId, hub: url, topic, sealed, leaseUntil: 0, renewAt: 0 };
}
