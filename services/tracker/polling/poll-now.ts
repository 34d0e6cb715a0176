import type { Caller } from "../../contracts/caller.ts";
import { fail } from "../../contracts/errors.ts";
import type { SourceKind } from "../../contracts/source.ts";
import type { TrackerClock, TrackerContext } from "../context.ts";
import { kindsOf } from "../source-kinds.ts";
import type { StoredSource } from "../sources.store.ts";
import { leaseMs } from "./due-sources.ts";

/** Milliseconds between a poll of a source and the next one that is asked for by hand. */
const spacingMs = 30_000;

interface Due {
  data: { due_at: string };
  message: string;
}

/** Makes a source that a key tracks due at once. */
export async function pollNow(
  context: TrackerContext,
  { keyId }: Caller,
  { source: kind, iid }: { source: SourceKind; iid: string },
): Promise<Due> {
  const tracked = await context.subscriptions.findOne({ keyId, sourceId: iid });
  const isOfKind = tracked !== null && kindsOf(kind).includes(tracked.kind);
  if (!isOfKind) throw fail("not_found", "This API key does not track such a source.");
  return pollSourceNow(context, iid);
}

/**
 * Makes a source due at once. A poll under way counts as the one that was asked for, so the source is never polled twice
 * at a time.
 */
export async function pollSourceNow(context: TrackerContext, id: string): Promise<Due> {
  const now = context.now();
  let answer = due(now, "The source is polled now.");
  await context.sources.change(id, source => {
    if (!source) throw fail("not_found", "There is no such source.");
    answer = due(now, "The source is polled now.");
    if (source.dueAt <= now) answer = due(source.dueAt, "The source is due already.");
    else if (source.lease !== undefined) answer = due(source.dueAt - leaseMs, "The source is being polled.");
    else {
      refuseTooSoon(context, source);
      return { ...source, dueAt: now, askedAt: now };
    }
    return undefined;
  });
  return answer;
}

function due(ms: number, message: string): Due {
  return { data: { due_at: new Date(ms).toISOString() }, message };
}

/** Also after a poll that did not run because its network or host was busy: `askedAt` counts it. */
function refuseTooSoon({ now }: TrackerClock, { polledAt, askedAt = 0, problem }: StoredSource): void {
  const notBefore = Math.max(polledAt, askedAt) + spacingMs;
  const siteWants = problem?.notBefore ?? 0;
  const retry_after = Math.ceil((Math.max(notBefore, siteWants) - now()) / 1000);
  if (retry_after <= 0) return;
  const reason =
    siteWants > notBefore
      ? "The site has asked Magpie to wait"
      : `A source is polled by hand every ${spacingMs / 1000} s at most`;
  throw fail("rate_limited", `${reason}. Try again in ${retry_after} s.`, { retry_after });
}
