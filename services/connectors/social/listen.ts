import { sleepUntilAborted } from "../../../mixins/async/sleep.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import type { Post } from "../../contracts/connectors.contract.ts";
import { codeOf } from "../../contracts/errors.ts";
import { isRevision } from "../../contracts/events.ts";
import type { Platform } from "./platform.ts";
import type { Listener, SocialConnector, SocialKind } from "./social-connector.ts";

/** Sources made due concurrently. */
const batchSize = 20;
/** Milliseconds until the tracker is called again after it did not answer. */
const retryMs = 1000;
/** Tries to hand over what was edited or deleted, while other posts of the connection wait. */
const mostTries = 60;
/** Milliseconds until a network that refused our credentials is tried again: the operator may have fixed them there. */
const refusedMs = 5 * 60_000;

/** The tracker, which receives the posts. */
export interface PostReceiver {
  receive(source: { kind: SocialKind; externalId: string; posts: Post[] }): Promise<unknown>;
  pollSoon(source: { kind: SocialKind; externalId: string }): Promise<unknown>;
  logger: Pick<Console, "debug" | "info" | "warn" | "error">;
}

/** Listens to a platform until the signal fires. Hands live posts to the tracker; polls read what was missed. */
export async function listenUntilStopped(
  platform: Platform,
  connector: SocialConnector,
  receiver: PostReceiver,
  signal: AbortSignal,
): Promise<void> {
  const { kind, driver } = platform;
  while (!signal.aborted) {
    let waitMs = refusedMs;
    try {
      await connector.listen(listenerOf(platform, receiver, signal), signal);
    } catch (error) {
      markLost(platform, (error as Error).message);
      // A server of our own is unavailable; the network has not refused us.
      if (codeOf(error) === "overloaded") waitMs = retryMs;
      logEvent(receiver.logger, "platform.failed", { kind, driver, error: String(error) });
    }
    platform.isLive = false;
    broadcastStatus(platform);
    await sleepUntilAborted(waitMs, signal);
  }
}

function listenerOf(platform: Platform, receiver: PostReceiver, signal: AbortSignal): Listener {
  const { kind, driver, tracked, missedRanges } = platform;
  const readSoon = (externalIds: string[]) => pollAllSoon(kind, externalIds, receiver, signal);
  const pollMissed = async (externalIds: string[]) => {
    for (const externalId of externalIds) missedRanges.add(externalId);
    await readSoon(externalIds);
  };
  return {
    isTracked: externalId => tracked.has(externalId),
    tracked: () => tracked.all(),
    onTracked: changed => tracked.watch(changed),
    async onPosts(externalId, posts) {
      if (posts.every(isRevision))
        return await receiveRevisions(receiver, { kind, externalId, posts }, signal);
      if (missedRanges.holdsBack(externalId)) return await readSoon([externalId]);
      try {
        await receiver.receive({ kind, externalId, posts });
      } catch (error) {
        logEvent(receiver.logger, "post_ingest.failed", {
          kind,
          externalId,
          posts: posts.length,
          error: String(error),
        });
        await pollMissed([externalId]);
      }
    },
    async onGap(externalIds) {
      if (!platform.isLive) logEvent(receiver.logger, "platform.connected", { kind, driver });
      Object.assign(platform, { isLive: true, failure: null });
      broadcastStatus(platform);
      await pollMissed(externalIds ?? tracked.all());
    },
    onLost(reason) {
      markLost(platform, reason);
      logEvent(receiver.logger, "platform.disconnected", { kind, driver, reason });
    },
  };
}

/** No poll reads what was edited or deleted: it is handed over until the tracker takes it. */
async function receiveRevisions(
  receiver: PostReceiver,
  revised: Parameters<PostReceiver["receive"]>[0],
  signal: AbortSignal,
): Promise<void> {
  const { kind, externalId, posts } = revised;
  for (let tried = 0; tried < mostTries && !signal.aborted; tried++) {
    try {
      await receiver.receive(revised);
      return;
    } catch (error) {
      const told = { kind, externalId, posts: posts.length, error: String(error) };
      logEvent(receiver.logger, "post_ingest.failed", told);
      await sleepUntilAborted(retryMs, signal);
    }
  }
}

function markLost(platform: Platform, reason: string): void {
  Object.assign(platform, { isLive: false, failure: reason });
  broadcastStatus(platform);
}

/** Broadcasts the state of the live connection to the standby processes. */
export function broadcastStatus({ isLive, failure, broadcast }: Platform): void {
  broadcast({ what: "listening", isLive, failure });
}

/** Makes sources due. Retries while the tracker does not answer: live posts could not be stored then either. */
export async function pollAllSoon(
  kind: SocialKind,
  externalIds: string[],
  { pollSoon, logger }: PostReceiver,
  signal: AbortSignal,
): Promise<void> {
  let failed: string[] = [];
  for (let requested = 0; (requested < externalIds.length || failed.length > 0) && !signal.aborted; ) {
    const more = externalIds.slice(requested, requested + batchSize - failed.length);
    requested += more.length;
    const some = [...failed, ...more];
    const outcomes = await Promise.allSettled(some.map(externalId => pollSoon({ kind, externalId })));
    failed = some.filter((_, at) => outcomes[at]?.status === "rejected");
    if (failed.length === 0) continue;
    logEvent(logger, "gap_poll.failed", { kind, sources: failed.length + externalIds.length - requested });
    await sleepUntilAborted(retryMs, signal);
  }
}
