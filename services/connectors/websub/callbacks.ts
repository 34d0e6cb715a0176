import { createHmac, timingSafeEqual } from "node:crypto";
import { logEvent } from "../../../mixins/log/log-events.ts";
import type { HubDelivery, IntentQuery } from "../../contracts/connectors.contract.ts";
import { fail } from "../../contracts/errors.ts";
import type { WebsubContext } from "./context.ts";
import { leaveHub } from "./subscribe.ts";
import type { StoredHubSubscription } from "./subscriptions.store.ts";

const hourMs = 3_600_000;
/** How long after a request the hub may verify it; it may repeat the verification if our answer was lost. */
const answerWindowMs = hourMs;
/** A shorter lease is ignored: the feed is polled as before. */
const shortestLeaseMs = hourMs;
const longestLeaseMs = 30 * 24 * hourMs;
/** The lease of hubs of older drafts, which name none. */
const defaultLeaseSeconds = 86_400;
/** This many tries give the longest wait before the next request. */
const triesAfterDenial = 40;

/** Answers the challenge of a hub for a request that was sent to it (W3C WebSub, 5.3); throws `not_found` for any other. */
export async function verifyIntent(context: WebsubContext, query: IntentQuery): Promise<string> {
  const { token, "hub.mode": mode, "hub.topic": topic, "hub.challenge": challenge } = query;
  const subscription = await context.subscriptions.findById(token);
  if (subscription?.topic !== topic) throw unknown();
  if (mode === "denied") return denied(context, subscription);
  const isAsked = subscription.wants === mode && context.now() - subscription.askedAt <= answerWindowMs;
  if (!isAsked || challenge === undefined) throw unknown();
  if (mode === "unsubscribe") await context.subscriptions.remove(token);
  else await confirm(context, subscription, query["hub.lease_seconds"] ?? defaultLeaseSeconds);
  return challenge;
}

function unknown(): Error {
  return fail("not_found", "No such subscription was requested.");
}

/** A hub may deny a subscription at any time, even a verified one (W3C WebSub, 5.2). */
async function denied(
  { subscriptions, logger, now }: WebsubContext,
  denied: StoredHubSubscription,
): Promise<string> {
  const { _id, hub, topic } = denied;
  const $set = {
    wants: "nothing" as const,
    askedAt: now(),
    tries: triesAfterDenial,
    leaseUntil: 0,
    renewAt: 0,
  };
  await subscriptions.update(_id, { $set });
  logEvent(logger, "websub_subscription.refused", { hub, topic });
  return "";
}

async function confirm(
  { subscriptions, logger, now }: WebsubContext,
  { _id, hub, topic }: StoredHubSubscription,
  leaseSeconds: number,
): Promise<void> {
  const leaseMs = Math.min(leaseSeconds * 1000, longestLeaseMs);
  if (leaseMs < shortestLeaseMs) return;
  const $set = { tries: 0, leaseUntil: now() + leaseMs, renewAt: now() + Math.floor(leaseMs * 0.8) };
  await subscriptions.update(_id, { $set });
  logEvent(logger, "websub_subscription.verified", { hub, topic, leaseSeconds });
}

/**
 * Treats a delivery as a hint and polls the feed itself soon, so that no hub can inject items. Ignores a delivery without
 * a valid signature and does not notify the hub (W3C WebSub, 7.1). 410 when there is no such subscription.
 */
export async function receiveDelivery(context: WebsubContext, delivery: HubDelivery): Promise<void> {
  const { token, signature, body } = delivery;
  const subscription = await context.subscriptions.findById(token);
  if (!subscription || subscription.wants === "unsubscribe")
    throw fail("expired", "This subscription has ended.");
  const isGood = isSigned(Buffer.from(body, "base64"), signature, context.secrets.reveal(subscription));
  if (subscription.wants !== "subscribe" || !isGood) {
    logEvent(context.logger, "websub_delivery.refused", { hub: subscription.hub, topic: subscription.topic });
    return;
  }
  const { kind, externalId } = subscription;
  const { isTracked } = await context.pollSoon({ kind, externalId });
  if (!isTracked) await leaveHub(context, externalId);
}

/** The methods of W3C WebSub, 7.1. */
const methods = ["sha1", "sha256", "sha384", "sha512"];

/** Whether `X-Hub-Signature` (`<method>=<hex>`) is that of the body. */
export function isSigned(body: Uint8Array, header: string | undefined, secret: string): boolean {
  const [, method = "", given = ""] = /^\s*(\w+)=([0-9a-f]+)\s*$/i.exec(header ?? "") ?? [];
  const name = method.toLowerCase();
  if (!methods.includes(name)) return false;
  const expected = createHmac(name, secret).update(body).digest();
  const signature = Buffer.from(given, "hex");
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}
