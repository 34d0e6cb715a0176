import { randomUUID } from "node:crypto";
import type { Context } from "moleculer";
import type { ParamsOf } from "../../contracts/action.ts";
import type { CallMeta } from "../../contracts/caller.ts";
import type { PollResult, pollSource } from "../../contracts/connectors.contract.ts";
import { codeOf, type ErrorCode, type ErrorExtras, fail } from "../../contracts/errors.ts";
import { isSearch } from "../../contracts/source.ts";
import { failedPoll, type PolledSource } from "../connector.ts";
import { jittered } from "../poll-interval.ts";
import { forwardToListener, type SocialHost, withDriver } from "./ask-driver.ts";
import { otherNetworkReason, platformOfId } from "./networks.ts";
import type { Platform } from "./platform.ts";
import type { NewPosts } from "./social-connector.ts";

/** Milliseconds between polls while posts come in live; polling is then a backup. */
const backupIntervalMs = 5 * 60_000;

interface PollTools {
  minIntervalMs: number;
  random(): number;
}

/** Error codes by which a driver says that the source itself cannot be read. */
const sourceCodes: ErrorCode[] = ["not_found", "forbidden", "validation_failed", "upstream_error"];

/** Polls a source on its network. */
export async function pollNetwork(
  host: SocialHost,
  ctx: Context<unknown, CallMeta>,
  source: ParamsOf<typeof pollSource>,
  tools: PollTools,
): Promise<PollResult> {
  const { kind, externalId } = source;
  const networks = host.networksOf(kind);
  const platform = await platformOfId(networks, externalId);
  if (!platform) return failedPoll(source, tools, otherNetworkReason(networks.kind), { gone: true });
  const since = (cursor: string | null) =>
    withDriver(host, ctx, platform, (driver, signal) => driver.since(externalId, cursor, signal));
  return (
    (await forwardToListener<PollResult>(platform, ctx)) ?? (await pollSocial(platform, source, since, tools))
  );
}

/** Polls a source from the cursor in its state. Throws `connector_unavailable` for failures of the network or ours. */
async function pollSocial(
  platform: Platform,
  source: PolledSource,
  since: (cursor: string | null) => Promise<NewPosts>,
  tools: PollTools,
): Promise<PollResult> {
  const { driver: network, isLive } = platform;
  const isRead = beginReading(platform, source.externalId);
  try {
    const { cursor: kept } = source.state;
    const { posts, cursor, more } = await since(typeof kept === "string" ? kept : null);
    if (!more) isRead();
    // Searches have no live connection.
    const isBackup = isLive && !isSearch(source.externalId);
    const paceMs = more
      ? 0
      : isBackup
        ? Math.max(backupIntervalMs, tools.minIntervalMs)
        : tools.minIntervalMs;
    const nextInMs = jittered(paceMs, tools.random());
    return { ok: true, posts, state: { cursor }, nextInMs, source: { network }, ...(more && { more }) };
  } catch (error) {
    // A failed poll holds back no live posts.
    isRead();
    const code = codeOf(error);
    if (code === "connector_unavailable") throw postponed(error as Error, tools);
    const { message } = error as Error;
    if (code === "expired") return failedPoll(source, tools, message, { gone: true, code });
    if (code !== undefined && sourceCodes.includes(code)) return failedPoll(source, tools, message, { code });
    throw error;
  }
}

/** Announces a poll to the listening process, here or elsewhere; the returned function announces its end. */
function beginReading({ missedRanges, isListening, broadcast }: Platform, externalId: string): () => void {
  const reading = randomUUID();
  missedRanges.beginReading(externalId, reading);
  if (!isListening) broadcast({ what: "reading", externalId, reading });
  return () => {
    missedRanges.endReading(externalId, reading);
    if (!isListening) broadcast({ what: "read", externalId, reading });
  };
}

/** An unavailable network is polled no more often than an available one. */
function postponed(error: Error & { data?: ErrorExtras }, { minIntervalMs }: PollTools): Error {
  const retry_after = Math.max(error.data?.retry_after ?? 1, Math.ceil(minIntervalMs / 1000));
  return fail("connector_unavailable", error.message, { retry_after }, error);
}
