import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import { isInserted, updateIf } from "../../../mixins/store/update-if.ts";
import type { Feed } from "../../domain/feed/feed.ts";
import { absoluteUrl } from "../../domain/feed/feed-text.ts";
import { backoff } from "../poll-interval.ts";
import type { WebsubContext } from "./context.ts";
import type { Hub, HubLease, StoredHubSubscription } from "./subscriptions.store.ts";

/**
 * Keeps a feed subscribed at the hub that it names: asks the hub when there is no subscription, or its lease is about to
 * end. Returns the current lease, or undefined when the feed has to be polled as if it had no hub. Never throws.
 */
export async function keepSubscription(
  context: WebsubContext,
  externalId: string,
  hub: Hub,
): Promise<HubLease | undefined> {
  try {
    const { subscription, mustAsk } = await claim(context, externalId, hub);
    if (mustAsk) await askHub(context, subscription);
    const current = await context.subscriptions.findById(subscription._id);
    return current ? leaseOf(current, hub, context.now()) : undefined;
  } catch (error) {
    logEvent(context.logger, "websub_subscription.failed", { externalId, error: String(error) });
    return undefined;
  }
}

function leaseOf(subscription: StoredHubSubscription, hub: Hub, now: number): HubLease | undefined {
  const { wants, renewAt } = subscription;
  const isValid = wants === "subscribe" && isAt(subscription, hub) && renewAt > now;
  return isValid ? { renewInMs: renewAt - now } : undefined;
}

/**
 * Stores the request before it is sent, so that a crash in between does not repeat it again and again. A feed that names
 * another hub leaves the former subscription first: after a crash in between the next poll asks the new hub.
 */
async function claim(
  context: WebsubContext,
  externalId: string,
  hub: Hub,
): Promise<{ subscription: StoredHubSubscription; mustAsk: boolean }> {
  const { subscriptions, minIntervalMs } = context;
  const now = context.now();
  for (;;) {
    const known = await subscriptions.findOne({ externalId });
    if (known && (leaseOf(known, hub, now) || now < nextAskAt(known, minIntervalMs)))
      return { subscription: known, mustAsk: false };
    const asked = { wants: "subscribe" as const, askedAt: now, tries: (known?.tries ?? 0) + 1 };
    const isSame = (current: StoredHubSubscription) => isDeepStrictEqual(current, known);
    if (known && isAt(known, hub)) {
      const subscription = await updateIf(subscriptions, known._id, isSame, { $set: asked });
      if (subscription) return { subscription, mustAsk: true };
      continue;
    }
    if (known)
      await subscriptions.change(known._id, current => (current && isSame(current) ? null : undefined));
    const subscription = { ...newSubscription(context, externalId, hub), ...asked };
    if (await isInserted(subscriptions, subscription)) return { subscription, mustAsk: true };
  }
}

function isAt({ hub, topic }: StoredHubSubscription, wanted: Hub): boolean {
  return hub === wanted.url && topic === wanted.topic;
}

function nextAskAt({ wants, askedAt, tries }: StoredHubSubscription, minIntervalMs: number): number {
  return wants === "unsubscribe" ? 0 : askedAt + backoff(tries, minIntervalMs);
}

function newSubscription({ secrets }: WebsubContext, externalId: string, { url, topic }: Hub) {
  const _id = randomBytes(32).toString("base64url");
  const sealed = secrets.issue(_id, topic);
  return { _id, kind: "rss" as const, externalId, hub: url, topic, sealed, leaseUntil: 0, renewAt: 0 };
}

/** Ends the subscription of a feed that nobody tracks any more. If the request fails, it ends with its lease. */
export async function leaveHub(context: WebsubContext, externalId: string): Promise<void> {
  const known = await context.subscriptions.findOne({ externalId });
  if (!known) return;
  const wants = "unsubscribe" as const;
  const left = await context.subscriptions.change(known._id, current => {
    if (!current) return undefined;
    // The hub never verified it, so there is nothing to unsubscribe from.
    return current.leaseUntil === 0 ? null : { ...current, wants, askedAt: context.now(), renewAt: 0 };
  });
  if (left) await askHub(context, left);
}

/** Ten days, as the Recommendation suggests; the hub decides. */
const leaseSeconds = 864_000;

/**
 * Sends the hub the request of a subscription (W3C WebSub, 5.1). The hub verifies it at the callback, now or later.
 * Never throws: whatever the hub does, the feed is polled.
 */
async function askHub(context: WebsubContext, subscription: StoredHubSubscription): Promise<void> {
  const { hub, topic, wants } = subscription;
  try {
    const status = await context.post(hub, formOf(context, subscription));
    const line = { hub, topic, wants, status };
    if (status >= 200 && status < 300) logEvent(context.logger, "websub_subscription.requested", line);
    else logEvent(context.logger, "websub_subscription.refused", line);
  } catch (error) {
    logEvent(context.logger, "websub_request.failed", { hub, topic, wants, error: String(error) });
  }
}

function formOf({ publicUrl, secrets }: WebsubContext, subscription: StoredHubSubscription): URLSearchParams {
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

const maxHeaderLength = 4096;
const maxUrlLength = 2048;

/**
 * The hub that a feed names (W3C WebSub, 4): in `Link` headers first, then in the document, which an answer of 304 does
 * not have. The topic of a feed without a `self` link is the address where it was found.
 */
export function findHub(
  { url, headers }: Pick<FetchedDocument, "url" | "headers">,
  feed?: Pick<Feed, "hubs" | "selfUrl">,
): Hub | undefined {
  const links = linksOf(headers.link ?? "", url);
  const hub = links.get("hub") ?? feed?.hubs[0];
  const topic = links.get("self") ?? feed?.selfUrl ?? url;
  if (hub === undefined || hub.length > maxUrlLength || topic.length > maxUrlLength) return undefined;
  return { url: hub, topic };
}

/** The first target of each relation (RFC 8288, 3), without links about other documents, which have an anchor. */
function linksOf(header: string, base: string): Map<string, string> {
  const found = new Map<string, string>();
  const link = /<([^<>]*)>((?:[^",<]|"(?:[^"\\]|\\.)*")*)/g;
  for (const [, target, text = ""] of header.slice(0, maxHeaderLength).matchAll(link)) {
    const url = absoluteUrl(target, base);
    const { rel = "", anchor } = parametersOf(text);
    if (url === undefined || anchor !== undefined) continue;
    for (const relation of rel.toLowerCase().split(/\s+/)) if (!found.has(relation)) found.set(relation, url);
  }
  return found;
}

/** The first value of each parameter; names in lower case. */
function parametersOf(text: string): Record<string, string> {
  const parameter = /;\s*([^\s=;",]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;
  const all = [...text.matchAll(parameter)].map(([, name = "", quoted, bare = ""]) => [
    name.toLowerCase(),
    quoted ?? bare,
  ]);
  return Object.fromEntries(all.reverse()) as Record<string, string>;
}
