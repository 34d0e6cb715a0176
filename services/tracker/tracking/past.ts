import type { TrackerContext } from "../context.ts";
import type { StoredSubscription } from "../sources.store.ts";
import { notHeld } from "./named-source.ts";

/** Moves the beginning of a key's past of a source to now, and erases what no key may read any more. */
export async function forgetPast(
  context: Pick<TrackerContext, "subscriptions" | "history" | "now">,
  { keyId, id }: { keyId: string; id: string },
): Promise<null> {
  const { subscriptions, now } = context;
  const held = (await subscriptions.findOne({ keyId, sourceId: id })) ?? notHeld();
  const readsFrom = now();
  await subscriptions.change(held._id, current => current && { ...current, readsFrom });
  await eraseUnreadable(context, id);
  return null;
}

/** Gives the source that a key moves to the past of the one that it leaves, as far as the key may read it. */
export async function movePast(
  { sources, history }: Pick<TrackerContext, "sources" | "history">,
  { sourceId: from, readsFrom }: Pick<StoredSubscription, "sourceId" | "readsFrom">,
  to: string,
): Promise<void> {
  const { run, values = [] } = (await sources.findById(from)) ?? {};
  if (run) await history.addChecks([{ ...run, sourceId: from }]);
  if (values.length > 0) await history.addValues(values.map(value => ({ ...value, sourceId: from })));
  await history.adopt(from, to, readsFrom);
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
