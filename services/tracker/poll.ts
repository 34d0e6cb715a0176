import type { PollResult } from "../contracts/connectors.contract.ts";
import { maxIntervalMs } from "../domain/polling/next-poll.ts";
import { isAbsence, retryAfterMs } from "./absence.ts";
import { ingest } from "./ingest.ts";
import { handBack, type LeasedSource } from "./lease.ts";
import type { TrackerRoom } from "./room.ts";
import { shortestMs } from "./social.ts";
import { stateOf } from "./source-state.ts";

/** Until a poll is tried again for which nobody was there. */
const absentMs = 2000;

/** A poll for which this side had no turn, or nobody: it is due again so much later. */
interface PutOff {
  putOffMs: number;
  cause: unknown;
}

export type Outcome = "ok" | "failed" | "lost" | PutOff;

/**
 * Looks at a leased source once and takes in what is new; tells what came of it. Rejects when that could not be written
 * down: the source is free then, and due again no sooner than it may be asked.
 */
export async function poll(room: TrackerRoom, source: LeasedSource): Promise<Outcome> {
  try {
    return await lookOnce(room, source);
  } catch (error) {
    const waitMs = Math.max(absentMs, shortestMs(room, source.kind));
    // What cannot be written now either comes free when the lease ends.
    await handBack(room, source, room.now() + waitMs).catch(() => undefined);
    throw error;
  }
}

async function lookOnce(room: TrackerRoom, source: LeasedSource): Promise<Outcome> {
  const startedAt = room.now();
  const stored = await room.states.findById(source._id);
  // Another polls it: this process was stopped for longer than others wait.
  if (!room.tokens.isGood(source.lease)) return "lost";
  const result = await look(room, source, stateOf(stored, source.moved));
  if ("putOffMs" in result) {
    await handBack(room, source, room.now() + result.putOffMs);
    return result;
  }
  await ingest(room, source, stored, result, startedAt);
  return result.ok ? "ok" : "failed";
}

/** A connector that breaks on a source counts as a failure of the source: it must not be silent for ever. */
async function look(
  room: TrackerRoom,
  source: LeasedSource,
  state: Record<string, unknown>,
): Promise<PollResult | PutOff> {
  try {
    return await room.look(source, state);
  } catch (error) {
    const putOffMs = waitWithoutBlame(room, error);
    if (putOffMs !== null) return { putOffMs, cause: error };
    room.onFault(source, error);
    return { ok: false, reason: "The source could not be read.", gone: false, state };
  }
}

/** Milliseconds to wait after an error in which the source has no part; null for any other. */
function waitWithoutBlame({ minIntervalMs, random }: TrackerRoom, error: unknown): number | null {
  const { type } = Object(error) as { type?: unknown };
  // More sources of one host are due than it may be asked for: they spread, and make room for other hosts.
  if (type === "overloaded") return Math.round(minIntervalMs * (1 + random()));
  return isAbsence(error) ? Math.min(Math.max(absentMs, retryAfterMs(error)), maxIntervalMs) : null;
}
