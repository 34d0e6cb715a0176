import { fail } from "../../contracts/errors.ts";
import type { IntentQuery } from "../../contracts/websub.contract.ts";
import type { StoredHubSubscription, WebsubRoom } from "./room.ts";

const hourMs = 3_600_000;
/** How long an asked hub may take; within it, one whose answer was lost may ask again. */
const patienceMs = hourMs;
/** A shorter lease is not counted on: the feed is polled as ever. */
const shortestLeaseMs = hourMs;
const longestLeaseMs = 30 * 24 * hourMs;
/** What hubs of older drafts, which name no lease, are trusted with. */
const usualLeaseSeconds = 86_400;
/** So many tries make the longest wait before the hub is asked again. */
const discouraged = 40;

/** Answers the challenge of a hub that was asked for just this (W3C WebSub, 5.3); anything else is not found. */
export async function verifyIntent(room: WebsubRoom, query: IntentQuery): Promise<string> {
  const { token, "hub.mode": mode, "hub.topic": topic, "hub.challenge": challenge } = query;
  const subscription = await room.subscriptions.findById(token);
  if (subscription?.topic !== topic) throw unknown();
  if (mode === "denied") return denied(room, subscription);
  const isAsked = subscription.wants === mode && room.now() - subscription.askedAt <= patienceMs;
  if (!isAsked || challenge === undefined) throw unknown();
  if (mode === "unsubscribe") await room.subscriptions.remove(token);
  else await confirm(room, subscription, query["hub.lease_seconds"] ?? usualLeaseSeconds);
  return challenge;
}

function unknown(): Error {
  return fail("not_found", "No such subscription is asked for.");
}

/** A hub may deny at any time, a subscription that it has verified too (W3C WebSub, 5.2). */
async function denied(
  { subscriptions, logger, now }: WebsubRoom,
  denied: StoredHubSubscription,
): Promise<string> {
  const { _id, hub, topic } = denied;
  const $set = { wants: "nothing" as const, askedAt: now(), tries: discouraged, leaseUntil: 0, renewAt: 0 };
  await subscriptions.update(_id, { $set });
  logger.warn("websub.denied", { hub, topic });
  return "";
}

async function confirm(
  { subscriptions, logger, now }: WebsubRoom,
  { _id, hub, topic }: StoredHubSubscription,
  leaseSeconds: number,
): Promise<void> {
  const leaseMs = Math.min(leaseSeconds * 1000, longestLeaseMs);
  if (leaseMs < shortestLeaseMs) return;
  const $set = { tries: 0, leaseUntil: now() + leaseMs, renewAt: now() + Math.floor(leaseMs * 0.8) };
  await subscriptions.update(_id, { $set });
  logger.info("websub.verified", { hub, topic, leaseSeconds });
}
