import { setTimeout as pause } from "node:timers/promises";
import { codeOf } from "../../contracts/errors.ts";
import { follow } from "./follow.ts";
import { followId } from "./follow-id.ts";
import { ask, type Platform } from "./platform.ts";

/** Milliseconds until whoever knows what is tracked is asked again after it did not answer. */
const absentMs = 1000;
/** Sources that a reading has followed: networks allow few a minute, and a client's own come first. */
const atMost = 20;

export interface Readings {
  /** A page of what is tracked. */
  trackedAfter(after?: string): Promise<{ data: { externalId: string }[]; next: string | null }>;
  /** Told of sources that a later reading has found, of whose beginning this process has not heard. */
  onFound(externalIds: string[]): void;
  everyMs: number;
  logger: Pick<Console, "debug" | "warn">;
  now(): number;
}

/**
 * Reads from time to time what is tracked, until the signal fires: what this process was not told of is heard from then
 * on, and a follow that was lost is made good. `onFirst` is told once, when the first reading is done.
 */
export async function keepTracked(
  platform: Platform,
  readings: Readings,
  signal: AbortSignal,
  onFirst: () => void,
): Promise<void> {
  const hopeless = new Set<string>();
  for (let isFirst = true; !signal.aborted; ) {
    const found = await read(platform, readings, signal);
    if (found && isFirst) onFirst();
    else if (found && found.length > 0) readings.onFound(found);
    isFirst &&= !found;
    if (found) await followLost(platform, readings, hopeless, signal);
    await pause(found ? readings.everyMs : absentMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Those that were not known; undefined when nobody answers. */
async function read(
  { kind, foreign, tracked }: Platform,
  { trackedAfter, logger, now }: Readings,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const readAt = now();
  const found = new Set<string>();
  try {
    for (let after: string | undefined; !signal.aborted; ) {
      const { data, next } = await trackedAfter(after);
      for (const { externalId } of data) if (!foreign.has(externalId)) found.add(externalId);
      if (next === null) break;
      after = next;
    }
    if (signal.aborted) return undefined;
    return tracked.replace(found, readAt);
  } catch (error) {
    logger.debug("tracked.not_read", { kind, error: String(error) });
    return undefined;
  }
}

/** Follows what is tracked and not marked as followed on this network; what this process cannot follow it tries once. */
async function followLost(
  platform: Platform,
  { logger }: Readings,
  hopeless: Set<string>,
  closing: AbortSignal,
): Promise<void> {
  const { kind, tracked } = platform;
  const marked = await markedAsFollowed(platform, logger);
  if (!marked) return;
  const isLost = (id: string) => !marked.has(followId(kind, id)) && !hopeless.has(id);
  for (const externalId of tracked.all().filter(isLost).slice(0, atMost)) {
    // Somebody may have ended it meanwhile.
    if (closing.aborted || !tracked.has(externalId)) continue;
    try {
      await ask(platform, { closing }, (connector, signal) =>
        follow(platform, connector, externalId, signal),
      );
    } catch (error) {
      logger.debug("follow.not_mended", { kind, externalId, error: String(error) });
      if (codeOf(error) === "connector_unavailable") return;
      // The source's own trouble, which its polls tell.
      hopeless.add(externalId);
    }
  }
}

/** By the id of the follow; undefined when the store does not answer, and the next reading asks again. */
async function markedAsFollowed(
  { kind, network, follows }: Platform,
  logger: Readings["logger"],
): Promise<Set<string> | undefined> {
  try {
    return new Set((await follows.find({ query: { network } })).map(({ _id }) => _id));
  } catch (error) {
    logger.debug("follows.not_read", { kind, error: String(error) });
    return undefined;
  }
}
