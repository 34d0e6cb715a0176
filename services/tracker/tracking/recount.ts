import { isDeepStrictEqual } from "node:util";
import { pagesOf } from "../../../mixins/store/pages.ts";
import type { TrackerStores } from "../context.ts";

type Counted = Pick<TrackerStores, "tallies" | "subscriptions" | "sources">;

/** Keys, and subscriptions of one key, that are read at a time. */
const [keysAtOnce, subscriptionsAtOnce] = [200, 500];

/**
 * Makes the tallies of all keys right: a process that slept between two writes of a change, while others took it for dead and
 * settled the change, may have left one wrong, or a subscription to a source that is deleted. Returns how many were wrong.
 */
export async function recountAll(stores: Counted, signal: AbortSignal): Promise<number> {
  let wrong = 0;
  for await (const page of pagesOf(stores.tallies, { limit: keysAtOnce, signal })) {
    const counts = await stores.subscriptions.countEach(
      "keyId",
      page.map(({ _id }) => _id),
    );
    for (const { _id, sources, isOpen } of page) {
      if (isOpen || sources === (counts.get(_id) ?? 0)) continue;
      await removeBaseless(stores, _id, signal);
      if (await recount(stores, _id)) wrong += 1;
    }
  }
  return wrong;
}

/** Counts what a key tracks, and stores it if no change was open or ended meanwhile. Returns whether it was another number. */
export async function recount(
  { tallies, subscriptions }: Pick<Counted, "tallies" | "subscriptions">,
  keyId: string,
): Promise<boolean> {
  const before = await tallies.findById(keyId);
  if (before?.isOpen) return false;
  const sources = await subscriptions.count({ keyId });
  let isWrong = false;
  await tallies.change(keyId, tally => {
    isWrong = isDeepStrictEqual(tally, before) && sources !== (tally?.sources ?? 0);
    return isWrong ? { ...(tally ?? { _id: keyId }), sources } : undefined;
  });
  return isWrong;
}

/** Removes a key's subscriptions to sources that are deleted. The identity of a source does not come back. */
async function removeBaseless({ subscriptions, sources }: Counted, keyId: string, signal: AbortSignal) {
  for await (const page of pagesOf(subscriptions, { query: { keyId }, limit: subscriptionsAtOnce, signal })) {
    const _id = { $in: page.map(({ sourceId }) => sourceId) };
    const there = new Set((await sources.valuesOf(["_id"], { _id })).flat());
    for (const { _id: id, sourceId } of page)
      if (!there.has(sourceId))
        await subscriptions.change(id, current => (current?.sourceId === sourceId ? null : undefined));
  }
}
