import { allEnded } from "../../../mixins/async/timeout.ts";
import type { Leases } from "../../../mixins/coordination/leases/lease.ts";
import type { Query } from "../../../mixins/store/store.ts";
import type { Caller } from "../../contracts/caller.ts";
import { codeOf, fail } from "../../contracts/errors.ts";
import { type Source, splitNetwork } from "../../contracts/source.ts";
import { forgetBatches } from "../batches/track-many.ts";
import type { Platforms } from "../connectors.ts";
import type { TrackerContext } from "../context.ts";
import { forgetMonitors } from "../monitors/forget-key.ts";
import { publicSource, type StoredSubscription } from "../sources.store.ts";
import { heldByName, type NamedSource, notHeld } from "./named-source.ts";
import { openFormer, settle } from "./open-changes.ts";
import { eraseUnreadable } from "./past.ts";
import { channelSid } from "./track.ts";
import { sourcesOfKey } from "./tracked-sources.ts";

/** Ends a key's tracking of a source, which exactly one of its ids names. */
export async function untrack(
  context: TrackerContext,
  { keyId }: Pick<Caller, "keyId">,
  named: NamedSource,
): Promise<{ data: Source; message: string }> {
  const { source, subscription } = await heldByName(context, keyId, named);
  if (!(await unsubscribe(context, subscription))) notHeld();
  return { data: publicSource(source), message: "The source is no longer tracked." };
}

/** Ends a key's tracking of a microblog user. */
export async function untrackUser(
  context: TrackerContext,
  caller: Caller,
  username: string,
  { resolve }: Pick<Platforms, "resolve">,
): Promise<{ message: string }> {
  try {
    // Handles change, and networks spell them in several ways: ask the network about one that is not stored.
    const eid =
      (await trackedUnder(context, caller, username)) ??
      (await resolve({ kind: "microblog", sid: username })).externalId;
    await untrack(context, caller, { source: "microblog", eid });
  } catch (error) {
    if (!isUnknown(error)) throw error;
    throw fail("not_found", "This API key does not track that user.", {}, error);
  }
  return { message: "The user is no longer tracked." };
}

/** A conflict means that the id belongs to a source of another network, so nobody tracks that user. */
function isUnknown(error: unknown): boolean {
  const code = codeOf(error);
  return code === "not_found" || code === "conflict";
}

/** The user that the key tracks under this handle, which a network's name may precede; null when there is none. */
async function trackedUnder(
  context: TrackerContext,
  { keyId }: Caller,
  username: string,
): Promise<string | null> {
  const { network, rest } = splitNetwork(username);
  for await (const [{ externalId, username: handle }] of sourcesOfKey(context, keyId, ["microblog"]))
    if (handle.toLowerCase() === rest.toLowerCase() && splitNetwork(externalId).network === network)
      return externalId;
  return null;
}

/** Ends a key's tracking of one channel of a chat server. */
export async function untrackChat(
  context: TrackerContext,
  caller: Caller,
  channelId: string,
): Promise<{ message: string }> {
  try {
    await untrack(context, caller, { source: "chatserver", eid: channelSid(channelId) });
  } catch (error) {
    if (codeOf(error) !== "not_found") throw error;
    throw fail("not_found", "This API key does not track that channel.", {}, error);
  }
  return { message: "The channel is no longer tracked." };
}

/**
 * Ends one key's subscription. A source without subscriptions is deleted, and a poll under way loses its lease. False when
 * it had ended before.
 */
export async function unsubscribe(
  context: TrackerContext,
  { _id, keyId, sourceId }: StoredSubscription,
): Promise<boolean> {
  if (!(await openFormer(context, { _id, keyId }))) return false;
  const { gone } = await settle(context, keyId, _id);
  context.onRetagged(keyId);
  if (gone) context.onPendingUnfollow(gone);
  else await eraseUnreadable(context, sourceId);
  return true;
}

/** Subscriptions that are ended at a time. */
const chunk = 25;

/** Forgets a deleted key. Every process receives the event; the one that gets the lease does the work. */
export async function forgetKeyOnce(
  context: TrackerContext,
  leases: Pick<Leases, "take">,
  keyId: string,
): Promise<void> {
  const lease = await leases.take(`tracker/forget/${keyId}`);
  if (!lease) return;
  try {
    await forgetKey(context, keyId);
  } finally {
    await lease.release();
  }
}

/** Ends all tracking of a deleted key and drops its log. */
export async function forgetKey(context: TrackerContext, keyId: string): Promise<void> {
  // Join jobs, batches and monitors first, so that none of them starts new tracking. A join request without jobs ends at its next step.
  await context.jobs.removeMany({ keyId });
  await forgetBatches(context, keyId);
  await forgetMonitors(context, keyId);
  await unsubscribeAll(context, { keyId });
  // A request that is under way may still subscribe the key: maintenance finds it by its tally.
  await context.tallies.change(keyId, tally => (tally?.isOpen ? undefined : null));
  await context.log.drop(keyId);
}

/** Ends the tracking of a source by all keys; with the last of them the source is deleted. */
export async function removeSource(context: TrackerContext, id: string): Promise<null> {
  if (!(await context.sources.findById(id))) throw fail("not_found", "There is no such source.");
  await unsubscribeAll(context, { sourceId: id });
  return null;
}

/** Ends the subscriptions that a query finds. */
export async function unsubscribeAll(
  context: TrackerContext,
  query: Query<StoredSubscription>,
): Promise<void> {
  for (;;) {
    const some = await context.subscriptions.find({ query, limit: chunk });
    if (some.length === 0) return;
    await allEnded(some.map(subscription => unsubscribe(context, subscription)));
  }
}
