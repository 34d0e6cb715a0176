import type { Service, ServiceBroker } from "moleculer";
import { existingKeysThrough, forgetMissingKeys } from "../../mixins/clients/existing-keys.ts";
import { logEvent } from "../../mixins/log/log-events.ts";
import { pruneClaims } from "../../mixins/store/idempotency.ts";
import type { WithStore } from "../../mixins/store/store.mixin.ts";
import { countsOf, type ErasureCounts, type ErasureOf } from "../contracts/erasure.contract.ts";
import type { WebhookContext } from "./context.ts";
import { forgetKey } from "./endpoints/list-endpoints.ts";
import { feedsCollection, type StoredFeed } from "./feeds/feeds.store.ts";
import { forgetFeeds } from "./feeds/feeds.ts";
import type { Feeds } from "./feeds/open-feeds.ts";
import type { Notices } from "./job-notices/notices.ts";
import {
  deliveriesCollection,
  jobSecretsCollection,
  noticesCollection,
  type StoredAttempts,
  type StoredEndpoint,
  type StoredJobSecret,
  type StoredNotice,
} from "./webhooks.store.ts";

/** What is cleaned up, as far as it is open. */
interface Maintained extends WithStore<StoredEndpoint> {
  broker: ServiceBroker;
  context?: WebhookContext;
  notices?: Notices;
  feeds?: Feeds;
  closing: AbortController;
  logger: Pick<Service["logger"], "info" | "warn">;
}

/** Milliseconds between searches for keys whose deletion event was lost, and for notices without a queue run. */
export const maintenanceEveryMs = 10 * 60_000;

/** Runs on a single node, for all nodes. */
export async function maintain(service: Maintained): Promise<void> {
  if (!service.context?.dispatcher.leads) return;
  const { claims } = service.context;
  await Promise.all([forgetDeletedKeys(service), reconcileNotices(service), pruneClaims(claims, Date.now())]);
}

/** Removes everything of a deleted key. */
export async function forget(
  { context, notices, feeds }: Pick<Maintained, "context" | "notices" | "feeds">,
  keyId: string,
): Promise<void> {
  if (feeds) await forgetFeeds(feeds.context, keyId);
  if (context) await forgetKey(context, keyId);
  await notices?.forget(keyId);
}

/** Removes, or counts, all of keys. */
export async function erase(service: Maintained, { keyIds, dry }: ErasureOf): Promise<ErasureCounts> {
  if (!dry) for (const keyId of keyIds) await forget(service, keyId);
  const { store } = service;
  const ofKeys = { keyId: { $in: keyIds } };
  const those = { $or: [{ _id: { $in: keyIds } }, ofKeys] };
  return await countsOf({
    endpoints: store.count(those),
    deliveries: store.collection<StoredAttempts>(deliveriesCollection).count(ofKeys),
    "job notices": store.collection<StoredNotice>(noticesCollection).count(ofKeys),
    "job secrets": store.collection<StoredJobSecret>(jobSecretsCollection).count({ _id: { $in: keyIds } }),
    feeds: store.collection<StoredFeed>(feedsCollection).count(ofKeys),
  });
}

/** Keys whose deletion event did not arrive. */
async function forgetDeletedKeys(service: Maintained): Promise<void> {
  const { broker, store, closing, logger } = service;
  const secrets = store.collection<StoredJobSecret>(jobSecretsCollection);
  const feeds = store.collection<StoredFeed>(feedsCollection);
  try {
    const keys = await forgetMissingKeys(
      [store, secrets, feeds],
      existingKeysThrough(broker),
      keyId => forget(service, keyId),
      closing.signal,
    );
    if (keys > 0) logEvent(logger, "key_data.deleted", { keys });
  } catch (error) {
    if (!closing.signal.aborted) logEvent(logger, "key_cleanup.failed", { error });
  }
}

async function reconcileNotices({ notices, closing, logger }: Maintained): Promise<void> {
  try {
    await notices?.reconcile(closing.signal);
  } catch (error) {
    if (!closing.signal.aborted) logEvent(logger, "notice_repair.failed", { error });
  }
}
