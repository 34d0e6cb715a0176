import { randomUUID } from "node:crypto";
import type { PollResult } from "../../contracts/connectors.contract.ts";
import { codeOf, type ErrorCode, type ErrorExtras, fail } from "../../contracts/errors.ts";
import type { PolledSource } from "../connector.ts";
import { jittered } from "../pace.ts";
import { trouble } from "../trouble.ts";
import { foreignReason, isForeign } from "./foreign.ts";
import type { Platform } from "./platform.ts";
import type { News } from "./social-connector.ts";

/** Milliseconds between polls while posts come in by themselves: a backup. */
const besideLiveMs = 5 * 60_000;

interface PollTools {
  minIntervalMs: number;
  random(): number;
}

/** Codes by which a driver says that a source itself cannot be read. */
const sourceCodes: (ErrorCode | undefined)[] = [
  "not_found",
  "forbidden",
  "validation_failed",
  "upstream_error",
];

/** Reads a source on from the cursor in its state. Throws `connector_unavailable` when the source has no part in it. */
export async function pollSocial(
  platform: Platform,
  source: PolledSource,
  since: (cursor: string | null) => Promise<News>,
  tools: PollTools,
): Promise<PollResult> {
  const { kind, isLive } = platform;
  if (await isForeign(platform, source.externalId))
    return trouble(source, tools, foreignReason(kind), { gone: true });
  const isRead = begin(platform, source.externalId);
  try {
    const { cursor: kept } = source.state;
    const { posts, cursor, more } = await since(typeof kept === "string" ? kept : null);
    if (!more) isRead();
    const paceMs = more ? 0 : isLive ? Math.max(besideLiveMs, tools.minIntervalMs) : tools.minIntervalMs;
    const nextInMs = jittered(paceMs, tools.random());
    return { ok: true, posts, state: { cursor }, nextInMs, ...(more && { more }) };
  } catch (error) {
    // What cannot be read now keeps nothing waiting that comes by itself.
    isRead();
    const code = codeOf(error);
    if (code === "connector_unavailable") throw notSoon(error as Error, tools);
    if (code === "expired") return trouble(source, tools, (error as Error).message, { gone: true });
    if (sourceCodes.includes(code)) return trouble(source, tools, (error as Error).message);
    throw error;
  }
}

/** Whoever listens, here or elsewhere, hears of a reading, and by the returned function of its end. */
function begin({ gaps, isListening, tell }: Platform, externalId: string): () => void {
  const reading = randomUUID();
  gaps.reading(externalId, reading);
  if (!isListening) tell({ what: "reading", externalId, reading });
  return () => {
    gaps.read(externalId, reading);
    if (!isListening) tell({ what: "read", externalId, reading });
  };
}

/** A network that is away is asked no more often than one that is there. */
function notSoon(error: Error & { data?: ErrorExtras }, { minIntervalMs }: PollTools): Error {
  const retry_after = Math.max(error.data?.retry_after ?? 1, Math.ceil(minIntervalMs / 1000));
  return fail("connector_unavailable", error.message, { retry_after }, error);
}
