import { setTimeout as pause } from "node:timers/promises";
import type { Post } from "../../contracts/connectors.contract.ts";
import { codeOf } from "../../contracts/errors.ts";
import type { SocialKind } from "./kinds.ts";
import type { Platform } from "./platform.ts";
import type { Listener, SocialConnector } from "./social-connector.ts";

/** Sources that are made due at a time. */
const atATime = 20;
/** Milliseconds until whoever keeps the posts is asked again after it did not answer. */
const absentMs = 1000;
/** Milliseconds until a network that refused us is tried again: somebody may have mended it there. */
const refusedMs = 5 * 60_000;

/** Where the posts go. */
export interface Keeper {
  receive(source: { kind: SocialKind; externalId: string; posts: Post[] }): Promise<unknown>;
  pollSoon(source: { kind: SocialKind; externalId: string }): Promise<unknown>;
  logger: Pick<Console, "debug" | "info" | "warn" | "error">;
}

/** Listens to a platform until the signal fires. What it brings live is kept, and what was missed is read by polls. */
export async function hear(
  platform: Platform,
  connector: SocialConnector,
  keeper: Keeper,
  signal: AbortSignal,
): Promise<void> {
  const { kind, driver } = platform;
  while (!signal.aborted) {
    let waitMs = refusedMs;
    try {
      await connector.listen(listenerOf(platform, keeper, signal), signal);
    } catch (error) {
      lost(platform, (error as Error).message);
      // A server of ours is away, and the network has not refused us.
      if (codeOf(error) === "overloaded") waitMs = absentMs;
      keeper.logger.error("platform.refused", { kind, driver, error: String(error) });
    }
    platform.isLive = false;
    tellStanding(platform);
    await pause(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

function listenerOf(platform: Platform, keeper: Keeper, signal: AbortSignal): Listener {
  const { kind, driver, tracked, gaps } = platform;
  const readSoon = (externalIds: string[]) => pollAllSoon(kind, externalIds, keeper, signal);
  const fill = async (externalIds: string[]) => {
    for (const externalId of externalIds) gaps.open(externalId);
    await readSoon(externalIds);
  };
  return {
    isTracked: externalId => tracked.has(externalId),
    tracked: () => tracked.all(),
    onTracked: changed => tracked.watch(changed),
    async onPosts(externalId, posts) {
      if (gaps.isWaitedFor(externalId)) return await readSoon([externalId]);
      try {
        await keeper.receive({ kind, externalId, posts });
      } catch (error) {
        keeper.logger.warn("posts.not_kept", { kind, externalId, posts: posts.length, error: String(error) });
        await fill([externalId]);
      }
    },
    async onGap(externalIds) {
      if (!platform.isLive) keeper.logger.info("platform.live", { kind, driver });
      Object.assign(platform, { isLive: true, trouble: null });
      tellStanding(platform);
      await fill(externalIds ?? tracked.all());
    },
    onLost(reason) {
      lost(platform, reason);
      keeper.logger.warn("platform.lost", { kind, driver, reason });
    },
  };
}

function lost(platform: Platform, reason: string): void {
  Object.assign(platform, { isLive: false, trouble: reason });
  tellStanding(platform);
}

/** Tells the processes that stand by how the listening goes. */
export function tellStanding({ isLive, trouble, tell }: Platform): void {
  tell({ what: "listening", isLive, trouble });
}

/** Makes sources due; for as long as nobody answers, that is tried again, since nothing live could be kept either. */
export async function pollAllSoon(
  kind: SocialKind,
  externalIds: string[],
  { pollSoon, logger }: Keeper,
  signal: AbortSignal,
): Promise<void> {
  for (let left = externalIds; left.length > 0 && !signal.aborted; ) {
    const some = left.slice(0, atATime);
    const outcomes = await Promise.allSettled(some.map(externalId => pollSoon({ kind, externalId })));
    const failed = some.filter((_, at) => outcomes[at]?.status === "rejected");
    left = [...failed, ...left.slice(atATime)];
    if (failed.length === 0) continue;
    logger.debug("gap.not_told", { kind, sources: left.length });
    await pause(absentMs, undefined, { signal }).catch(() => undefined);
  }
}
