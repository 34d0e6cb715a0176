import type { Leases } from "../../mixins/lease/lease.ts";
import { atOnce, type TrackerRoom } from "./room.ts";
import { unsubscribe } from "./unsubscribe.ts";

/** Subscriptions that end at once. */
const chunk = 25;

/** Forgets a key of whose end every process has heard: one of them does. */
export async function forgetKeyOnce(
  room: TrackerRoom,
  leases: Pick<Leases, "take">,
  keyId: string,
): Promise<void> {
  const lease = await leases.take(`tracker/forget/${keyId}`);
  if (!lease) return;
  try {
    await forgetKey(room, keyId);
  } finally {
    await lease.release();
  }
}

/** Ends all tracking of a key that is no more, and drops its log. */
export async function forgetKey(room: TrackerRoom, keyId: string): Promise<void> {
  // First, so that none of them begins to track anew. A request that nobody else waits for ends at its next step.
  await room.jobs.removeMany({ keyId });
  for (;;) {
    const some = await room.subscriptions.find({ query: { keyId }, limit: chunk });
    if (some.length === 0) break;
    const gone = await atOnce(room, steps => some.map(subscription => unsubscribe(steps, subscription)));
    for (const source of gone) if (source) room.onLooseEnd(source);
  }
  await atOnce(room, ({ tallies }) => tallies.removeById(keyId));
  await room.log.drop(keyId);
}
