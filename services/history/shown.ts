import { eventId } from "../../mixins/event-log/stored-event.ts";
import type { CheckRun, Version } from "../../mixins/history/history.ts";
import type { Check, Version as ShownVersion } from "../contracts/history.contract.ts";
import type { Reading } from "./context.ts";

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

type Made = Pick<Version, "eventId" | "eventAt">;

/** The key's own event; null where there was none, or it was none of this key's. */
export function ownEvent(
  { keyId, held }: { keyId: string; held: Pick<Reading["held"], "readsFrom"> },
  { eventId: bodyId, eventAt }: Made,
): string | null {
  if (bodyId === undefined || eventAt === undefined || eventAt < held.readsFrom) return null;
  return eventId(keyId, bodyId, iso(eventAt));
}

/** A run of checks as an answer shows it. */
export function shownCheck(reading: Reading, run: Omit<CheckRun, "sourceId">): Check {
  const { first, last, count, outcome, reason, status, engine, tookMs, versionId } = run;
  return {
    at: iso(last),
    since: iso(first),
    checks: count,
    outcome,
    reason,
    status: status ?? null,
    engine: engine ?? null,
    took_ms: tookMs,
    version: versionId ?? null,
    event_id: ownEvent(reading, run),
  };
}

/** A version as an answer shows it. The first that the key may read is its baseline, whatever it was for others. */
export function shownVersion(
  reading: Reading,
  version: Version,
  { until, isFirst }: { until: number | null; isFirst: boolean },
): ShownVersion {
  const { id, at, title, item = null, added = 0, removed = 0 } = version;
  const outcome = isFirst ? "first" : version.outcome;
  return {
    id,
    at: iso(at),
    until: until === null ? null : iso(until),
    title,
    item,
    outcome,
    reason:
      isFirst && version.outcome !== "first" ? "The first version that this key may read." : version.reason,
    added,
    removed,
    event_id: ownEvent(reading, version),
  };
}
