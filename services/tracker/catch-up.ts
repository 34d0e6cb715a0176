import { setTimeout } from "node:timers/promises";
import { leaseOne } from "./lease.ts";
import { poll } from "./poll.ts";
import type { StoredSource, TrackerRoom } from "./room.ts";
import { isSocial } from "./social.ts";
import type { Tracker } from "./subscribe.ts";

/** Milliseconds between looks at a source that is being polled. */
const lookAgainMs = 50;

/**
 * What the source has brought until now belongs to those who track it: a new subscriber starts after a poll that is
 * under way, and after one of its own where the last is not recent.
 */
export async function catchUp(room: TrackerRoom, { keyId }: Tracker, { _id }: StoredSource): Promise<void> {
  if (await room.subscriptions.findOne({ keyId, sourceId: _id })) return;
  const cameAt = room.now();
  for (;;) {
    const source = await room.sources.findById(_id);
    if (!source || isFresh(room, source, cameAt)) return;
    const leased = await leaseOne(room, _id);
    if (leased) {
      await poll(room, leased);
      return;
    }
    // Whoever holds the lease may be another process, so that nobody tells of its end. It ends by itself at the latest.
    await setTimeout(lookAgainMs);
  }
}

/**
 * A poll that began since the caller came, whatever came of it, is enough: of many callers one polls, and a source that
 * is polled without a pause keeps nobody out. What came in live since the last poll would be told again by the next
 * one, to newcomers too; so where posts come live, no earlier poll is recent.
 */
function isFresh(
  { minIntervalMs }: TrackerRoom,
  { kind, lease, health, polledAt }: StoredSource,
  cameAt: number,
): boolean {
  const isRecent = !isSocial(kind) && health === "ok" && cameAt - polledAt < minIntervalMs;
  return polledAt >= cameAt || (isRecent && lease === undefined);
}
