import type { TrackerContext } from "../context.ts";
import { type StoredSource, type StoredSubscription, viewOf } from "../sources.store.ts";
import { notHeld } from "./named-source.ts";

/** Moves the beginning of a key's past of a source to now, and erases what no key may read any more. */
export async function forgetPast(
  context: Pick<TrackerContext, "subscriptions" | "history" | "now">,
  { keyId, id }: { keyId: string; id: string },
): Promise<null> {
  const { subscriptions, now } = context;
  const held = (await subscriptions.findOne({ keyId, sourceId: id })) ?? notHeld();
  const at = now();
  // A clock may be behind the one by which the key began: its past never begins earlier than it did.
  await subscriptions.change(
    held._id,
    current => current && { ...current, readsFrom: Math.max(at, current.readsFrom) },
  );
  await eraseUnreadable(context, id);
  return null;
}

/** What a key may read of the past of a source. */
export type ReadablePast = Pick<StoredSubscription, "readsFrom" | "ownFrom">;

/**
 * What a subscription may read that joins a source. The past from before the source was made belongs to the subscription
 * for which it was made; nobody else reads it, whatever the clocks of other nodes say.
 */
export function joinedPast(
  { madeAt = 0, madeFor }: Pick<StoredSource, "madeAt" | "madeFor">,
  { _id, readsFrom }: Pick<StoredSubscription, "_id" | "readsFrom">,
): ReadablePast {
  return { readsFrom: Math.max(readsFrom, madeAt), ...(madeFor !== _id && { ownFrom: madeAt }) };
}

/**
 * Gives a source that was made for a subscription the past of the one that it leaves, as far as the key may read it. What
 * was seen with headers or cookies of a key does not come into a view without them, which other keys may join.
 */
export async function movePast(
  { sources, history, now }: Pick<TrackerContext, "sources" | "history" | "now">,
  { _id, sourceId: from, readsFrom, ownFrom = 0 }: StoredSubscription,
  to: StoredSource,
): Promise<ReadablePast> {
  const former = await sources.findById(from);
  if (former && !isOpenTo(former, to)) return joinedPast(to, { _id, readsFrom: now() });
  if (to.madeFor !== _id) return joinedPast(to, { _id, readsFrom });
  const { run, values = [] } = former ?? {};
  if (run) await history.addChecks([{ ...run, sourceId: from }]);
  if (values.length > 0) await history.addValues(values.map(value => ({ ...value, sourceId: from })));
  await history.adopt(from, to._id, { since: readsFrom, notBefore: ownFrom, until: to.madeAt ?? now() });
  return { readsFrom };
}

/** Whether those who may read the one may read what was seen in the other. Secrets are sealed for one key. */
function isOpenTo(from: StoredSource, to: StoredSource): boolean {
  const { sealed } = viewOf(from);
  return sealed === undefined || viewOf(to).sealed?.keyId === sealed.keyId;
}

/** Erases what was over before the first key that tracks a source may read it. */
export async function eraseUnreadable(
  { subscriptions, history }: Pick<TrackerContext, "subscriptions" | "history">,
  sourceId: string,
): Promise<void> {
  const readsFrom = await readableFrom({ subscriptions }, sourceId);
  if (readsFrom !== null) await history.erase(sourceId, readsFrom);
}

/** Milliseconds; from when on some key may read a source. Null where no key tracks it. */
async function readableFrom(
  { subscriptions }: Pick<TrackerContext, "subscriptions">,
  sourceId: string,
): Promise<number | null> {
  const [first] = await subscriptions.find({ query: { sourceId }, sort: ["readsFrom"], limit: 1 });
  return first?.readsFrom ?? null;
}
