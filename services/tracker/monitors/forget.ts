import type { TrackerContext } from "../context.ts";
import type { Leased } from "../leased-steps.ts";
import { unsubscribe } from "../tracking/untrack.ts";
import type { StoredMember, StoredMonitor } from "./monitors.store.ts";

/** Members that one step leaves. */
const slice = 25;

/** Removes some of what a deleted monitor has; answers whether nothing is left, and then the monitor is gone as well. */
export async function removeStep(
  context: TrackerContext,
  { _id, keyId }: Leased<StoredMonitor>,
): Promise<boolean> {
  const some = await context.members.find({ query: { monitorId: _id }, limit: slice });
  for (const member of some) await leave(context, member);
  if (some.length === slice) return false;
  await context.removeEndpoints(keyId, _id);
  await context.pages.removeMany({ monitorId: _id });
  await context.checks.removeMany({ monitorId: _id });
  await context.monitors.remove(_id);
  return true;
}

/** Ends the tracking of a source for a monitor. */
export async function leave(context: TrackerContext, { _id, keyId, sourceId }: StoredMember): Promise<void> {
  const subscription = sourceId && (await context.subscriptions.findOne({ keyId, sourceId }));
  if (subscription) await unsubscribe(context, subscription);
  await context.members.remove(_id);
}
