import { setTimeout as pause } from "node:timers/promises";
import { fail } from "../contracts/errors.ts";
import { isAbsence } from "./absence.ts";
import { leaseOne } from "./lease.ts";
import { type Outcome, poll } from "./poll.ts";
import type { StoredSource, TrackerRoom } from "./room.ts";
import { isSocial } from "./social.ts";
import type { Tracker } from "./subscribe.ts";

/** Milliseconds between looks at a source that is being polled. */
const lookAgainMs = 50;
/** Milliseconds for which polls are waited for, and no new one is begun after: longer than most take. */
const patienceMs = 45_000;

/**
 * What the source has brought until now belongs to those who track it: a new subscriber starts after a poll that is
 * under way, and after one of its own where the last is not recent; after more where one does not bring it all. Throws
 * `overloaded` when that takes too long, and `connector_unavailable` when the source cannot be reached that soon.
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
    // Whoever holds the lease may be another process, so that nobody tells of its end. It ends by itself at the latest.
    const waitMs = leased ? waitAfter(await poll(room, leased)) : lookAgainMs;
    await pause(waitMs, undefined, { signal }).catch(error => {
      throw fail("overloaded", "The source is being looked at for too long; try again shortly.", {}, error);
    });
  }
}

/** Milliseconds until another look at the source is of use. Throws when nobody would wait for that long. */
function waitAfter(outcome: Outcome): number {
  if (outcome === "lost") return lookAgainMs;
  if (typeof outcome === "string") return 0;
  const { putOffMs, cause } = outcome;
  if (putOffMs <= patienceMs) return putOffMs;
  const code = isAbsence(cause) ? "connector_unavailable" : "overloaded";
  const extras = { retry_after: Math.ceil(putOffMs / 1000) };
  throw fail(code, "The source cannot be looked at now; try again later.", extras, cause);
}

/**
 * A poll that began since the caller came, whatever came of it, is enough unless it left some for the next: of many
 * callers one polls, and a source that is polled without a pause keeps nobody out. What came in live since the last
 * poll would be told again by the next one, to newcomers too; so where posts come live, no earlier poll is recent.
 */
function isFresh(
  { minIntervalMs }: TrackerRoom,
  { kind, lease, health, polledAt, more }: StoredSource,
  cameAt: number,
): boolean {
  const isRecent = !isSocial(kind) && health === "ok" && cameAt - polledAt < minIntervalMs;
  return !more && (polledAt >= cameAt || (isRecent && lease === undefined));
}
