import type { Caller } from "../../contracts/caller.ts";
import { fail } from "../../contracts/errors.ts";
import type { SourceKind } from "../../contracts/source.ts";
import { type TrackerClock, type TrackerContext, transact } from "../context.ts";
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
  return transact(context, ({ sources }) => {
    const source = sources.findById(id);
    if (!source) throw fail("not_found", "There is no such source.");
    if (source.dueAt <= now) return due(source.dueAt, "The source is due already.");
    if (source.lease !== undefined) return due(source.dueAt - leaseMs, "The source is being polled.");
    refuseTooSoon(context, source);
    sources.updateById(id, { $set: { dueAt: now, askedAt: now } });
    return due(now, "The source is polled now.");
  });
}

function due(ms: number, message: string): Due {
  return { data: { due_at: new Date(ms).toISOString() }, message };
}

/** Also after a poll that did not run because its network or host was busy: `askedAt` counts it. */
function refuseTooSoon({ now }: TrackerClock, { polledAt, askedAt = 0, trouble }: StoredSource): void {
  const notBefore = Math.max(polledAt, askedAt) + spacingMs;
  const siteWants = trouble?.notBefore ?? 0;
  const retry_after = Math.ceil((Math.max(notBefore, siteWants) - now()) / 1000);
  if (retry_after <= 0) return;
  const reason =
    siteWants > notBefore
      ? "The site has asked Magpie to wait"
      : `A source is polled by hand every ${spacingMs / 1000} s at most`;
  throw fail("rate_limited", `${reason}. Try again in ${retry_after} s.`, { retry_after });
}
