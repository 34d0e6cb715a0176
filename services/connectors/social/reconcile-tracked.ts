import { setImmediate as yieldToLoop } from "node:timers/promises";
import { sleepUntilAborted } from "../../../mixins/async/sleep.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import { pagesOf } from "../../../mixins/store/pages.ts";
import { codeOf } from "../../contracts/errors.ts";
import { follow } from "./follow.ts";
import { callDriver, followId, type Platform } from "./platform.ts";
import { slicesOf } from "./tracked-sources.ts";

/** Milliseconds until the tracker is called again after it did not answer. */
const retryMs = 1000;
/** Follows restored per round: networks allow few a minute, and those that clients ask for come first. */
const maxFollows = 20;
const marksAtOnce = 1000;

export interface ReconcileOptions {
  /** A page of tracked sources. */
  trackedAfter(after?: string): Promise<{ data: { externalId: string }[]; next: string | null }>;
  /** Called with sources that a later round has found and that this process did not know. */
  onFound(externalIds: string[]): void;
  everyMs: number;
  logger: Pick<Console, "debug" | "warn">;
  now(): number;
}

/**
 * Reads the tracked sources periodically, until the signal fires. Sources that no broadcast has announced come in live
 * from then on, and lost follows are restored. Calls `onFirst` once, after the first round.
 */
export async function reconcileTracked(
  platform: Platform,
  options: ReconcileOptions,
  signal: AbortSignal,
  onFirst: () => void,
): Promise<void> {
  const unfollowable = new Set<string>();
  for (let isFirst = true; !signal.aborted; ) {
    const found = await readTracked(platform, options, signal);
    if (found && isFirst) onFirst();
    else if (found && found.length > 0) options.onFound(found);
    isFirst &&= !found;
    if (found) await restoreFollows(platform, options, unfollowable, signal);
    await sleepUntilAborted(found ? options.everyMs : retryMs, signal);
  }
}

/** The sources that were not known; undefined when the tracker does not answer. */
async function readTracked(
  { kind, isOwn, tracked }: Platform,
  { trackedAfter, logger, now }: ReconcileOptions,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const readAt = now();
  const found = new Set<string>();
  try {
    for (let after: string | undefined; !signal.aborted; ) {
      const { data, next } = await trackedAfter(after);
      for (const { externalId } of data) if (isOwn(externalId)) found.add(externalId);
      if (next === null) break;
      after = next;
      await yieldToLoop();
    }
    if (signal.aborted) return undefined;
    return await tracked.replace(found, readAt);
  } catch (error) {
    logEvent(logger, "tracked_list.failed", { kind, error: String(error) });
    return undefined;
  }
}

/** Follows tracked sources that have no mark on this network. A source that cannot be followed is tried once. */
async function restoreFollows(
  platform: Platform,
  { logger }: ReconcileOptions,
  unfollowable: Set<string>,
  closing: AbortSignal,
): Promise<void> {
  const { kind, tracked } = platform;
  for (const externalId of await lostFollows(platform, logger, unfollowable, closing)) {
    // It may have been unfollowed meanwhile.
    if (closing.aborted || !tracked.has(externalId)) continue;
    try {
      await callDriver(platform, { closing }, (connector, signal) =>
        follow(platform, connector, externalId, signal),
      );
    } catch (error) {
      logEvent(logger, "follow_repair.failed", { kind, externalId, error: String(error) });
      if (codeOf(error) === "connector_unavailable") return;
      // The source itself fails; its polls report that.
      unfollowable.add(externalId);
    }
  }
}

/** Tracked sources without a mark, at most `maxFollows`; none when the store does not answer. The next round tries again. */
async function lostFollows(
  { kind, network, tracked, follows }: Platform,
  logger: ReconcileOptions["logger"],
  unfollowable: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<string[]> {
  const lost: string[] = [];
  try {
    const marked = new Set<string>();
    for await (const marks of pagesOf(follows, { query: { network }, limit: marksAtOnce, signal }))
      for (const { _id } of marks) marked.add(_id);
    const isLost = (id: string) => !marked.has(followId(kind, id)) && !unfollowable.has(id);
    for await (const some of slicesOf(tracked.all())) {
      lost.push(...some.filter(isLost));
      if (lost.length >= maxFollows || signal.aborted) break;
    }
  } catch (error) {
    logEvent(logger, "follow_list.failed", { kind, error: String(error) });
  }
  return lost.slice(0, maxFollows);
}
