import type { PollResult } from "../contracts/connectors.contract.ts";
import { ingest } from "./ingest.ts";
import { handBack, type LeasedSource } from "./lease.ts";
import type { TrackerRoom } from "./room.ts";

/** Until a poll is tried again that the connectors could not make. */
const unavailableMs = 2000;

/** Errors that tell of the connectors and nothing of the source: Moleculer's, and the rooms' own. */
const unavailable = new Set([
  "SERVICE_NOT_FOUND",
  "SERVICE_NOT_AVAILABLE",
  "REQUEST_QUEUE_FULL",
  "REQUEST_REJECTED",
  "connector_unavailable",
  "overloaded",
]);

/** Looks at a leased source once and takes in what is new; tells what came of it. */
export async function poll(
  room: TrackerRoom,
  source: LeasedSource,
): Promise<"ok" | "failed" | "unavailable"> {
  const startedAt = room.now();
  const state = (await room.states.findById(source._id))?.state ?? {};
  const result = await look(room, source, state);
  if (result === "unavailable") {
    await handBack(room, source, room.now() + unavailableMs);
    return result;
  }
  await ingest(room, source, state, result, startedAt);
  return result.ok ? "ok" : "failed";
}

/** A connector that breaks on a source counts as a failure of the source: it must not be silent for ever. */
async function look(
  room: TrackerRoom,
  source: LeasedSource,
  state: Record<string, unknown>,
): Promise<PollResult | "unavailable"> {
  try {
    return await room.look(source, state);
  } catch (error) {
    const { type } = Object(error) as { type?: unknown };
    if (unavailable.has(String(type))) return "unavailable";
    room.onFault(source, error);
    return { ok: false, reason: "The source could not be read.", gone: false, state };
  }
}
