import { codeOf } from "../../contracts/errors.ts";
import type { View } from "../../contracts/watch.contract.ts";
import type { TrackerContext } from "../context.ts";
import { addressOf, type StoredSource, storedId, viewOf } from "../sources.store.ts";
import type { Held } from "../tracking/named-source.ts";
import { addressKey } from "../tracking/pending-unfollows.ts";
import { retagged, type Tracker, type Tracking } from "../tracking/subscribe.ts";
import { firstPoll } from "./next-poll.ts";
import { viewKey } from "./views.ts";

/**
 * Changes when and how a site is visited that no other key tracks, without another view of it: its pages would all be read
 * anew. Null for other sources, and where what is seen of the pages changes.
 */
export async function changeInPlace(
  context: TrackerContext,
  { keyId, own }: Tracker,
  { source, subscription }: Held,
  view: View,
): Promise<Tracking | null> {
  if (source.kind !== "site" || viewKey(sight(view)) !== viewKey(sight(viewOf(source)))) return null;
  const changed = await context.mutex.run(addressKey(addressOf(source)), async () =>
    (await isAlone(context, source, keyId)) ? withView(context, source, view) : null,
  );
  if (!changed) return null;
  const kept = await retagged(context, subscription, own);
  context.onRetagged(keyId);
  return kept && { source: changed, subscription: kept, isNew: false };
}

/** What decides which pages there are and what is compared of them. */
function sight({
  interval: _interval,
  schedule: _schedule,
  pausedBy: _pausedBy,
  goal: _goal,
  judge: _judge,
  checks: _checks,
  limit: _limit,
  content_uses: _uses,
  policy: _policy,
  ...seen
}: View): View {
  return seen;
}

async function isAlone(
  { subscriptions }: TrackerContext,
  { _id: sourceId }: StoredSource,
  keyId: string,
): Promise<boolean> {
  const held = await subscriptions.find({ query: { sourceId }, limit: 2 });
  return held.length === 1 && held[0]?.keyId === keyId;
}

/** Null when a subscription is about to join it, or when there is such a view already. */
async function withView(
  context: TrackerContext,
  source: StoredSource,
  view: View,
): Promise<StoredSource | null> {
  const externalId = storedId(addressOf(source).externalId, viewKey(view));
  let isOurs = false;
  const change = context.sources.change(source._id, current => {
    isOurs = current?.externalId === source.externalId && current.entering === undefined;
    if (!current || !isOurs) return undefined;
    const { view: _, ...rest } = current;
    const named = viewKey(view) === "" ? {} : { view: JSON.stringify(view) };
    // A poll under way finds the new view when it ends.
    const due = current.lease === undefined ? { dueAt: firstPoll(context, "site", view) } : {};
    return { ...rest, externalId, ...named, ...due };
  });
  const changed = await change.catch(error => {
    if (codeOf(error) !== "conflict") throw error;
    return null;
  });
  return isOurs ? changed : null;
}
