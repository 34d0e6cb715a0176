import { setTimeout as pause } from "node:timers/promises";
import { fail } from "../contracts/errors.ts";
import { leaseOne } from "./lease.ts";
import { poll } from "./poll.ts";
import type { StoredSource, TrackerRoom } from "./room.ts";
import { isSocial } from "./social.ts";
import type { Tracker } from "./subscribe.ts";

/** Milliseconds between looks at a source that is being polled. */
const lookAgainMs = 50;
/** Milliseconds for which a poll that another has under way is waited for: longer than most take. */
const patienceMs = 45_000;

/**
 * What the source has brought until now belongs to those who track it: a new subscriber starts after a poll that is
 * under way, and after one of its own where the last is not recent. Throws `overloaded` when that takes too long.
 */
export async function catchUp(room: TrackerRoom, { keyId }: Tracker, { _id }: StoredSource): Promise<void> {
  if (await room.subscriptions.findOne({ keyId, sourceId: _id })) return;
  const cameAt = room.now();
  const signal = AbortSignal.any([room.closing, AbortSignal.timeout(patienceMs)]);
  for (;;) {
    const source = await room.sources.findById(_id);
    if (!source || isFresh(room, source, cameAt)) return;
    // Whoever polled it between that look and this one has done so for us.
    const leased = await leaseOne(room, _id, free => !isFresh(room, free, cameAt));
    if (leased) {
      await poll(room, leased);
      return;
    }
    // Whoever holds the lease may be another process, so that nobody tells of its end. It ends by itself at the latest.
    await pause(lookAgainMs, undefined, { signal }).catch(error => {
      throw fail("overloaded", "The source is being looked at for too long; try again shortly.", {}, error);
    });
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
