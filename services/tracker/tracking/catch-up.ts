import { setTimeout as sleep } from "node:timers/promises";
import { fail } from "../../contracts/errors.ts";
import { isUnavailable } from "../connectors.ts";
import type { TrackerContext } from "../context.ts";
import { leaseSource } from "../polling/due-sources.ts";
import { type PollOutcome, pollTogether } from "../polling/poll.ts";
import { isSocial } from "../source-kinds.ts";
import type { StoredSource } from "../sources.store.ts";

/** Milliseconds between checks of a source that another process polls. */
const recheckMs = 50;
/** Milliseconds in which the source has to be caught up; longer than most polls take. */
const catchUpTimeoutMs = 45_000;

/**
 * A new subscription starts now, so everything that the source has published until now must be ingested first. Waits
 * for a poll that is under way, polls if the last poll is not recent, and polls again while there is more. Throws
 * `overloaded` when that takes too long, and `connector_unavailable` when the source cannot be reached in time.
 */
export async function catchUp(
  context: TrackerContext,
  { keyId }: { keyId: string },
  { _id, kind }: StoredSource,
): Promise<void> {
  if (isNeverCaughtUp(kind)) return;
  if (await context.subscriptions.findOne({ keyId, sourceId: _id })) return;
  const cameAt = context.now();
  await pollUntil(context, _id, source => isFresh(context, source, cameAt));
}

/** Polls a source once from now on, unless it was polled in this moment. */
export async function pollOnce(context: TrackerContext, { _id, kind }: StoredSource): Promise<void> {
  if (isNeverCaughtUp(kind)) return;
  const cameAt = context.now();
  await pollUntil(context, _id, ({ polledAt, more }) => !more && polledAt >= cameAt);
}

/** A poll of a site is one step of a work that never ends: what it finds next may be news for a new subscription, too. */
function isNeverCaughtUp(kind: StoredSource["kind"]): boolean {
  return kind === "site";
}

async function pollUntil(
  context: TrackerContext,
  id: string,
  isDone: (source: StoredSource) => boolean,
): Promise<void> {
  const signal = AbortSignal.any([context.closing, AbortSignal.timeout(catchUpTimeoutMs)]);
  for (;;) {
    const source = await context.sources.findById(id);
    if (!source || isDone(source)) return;
    // Another caller may have polled it since the check; then there is nothing to do.
    const leased = await leaseSource(context, id, free => !isDone(free));
    // The lease may belong to another process, which does not announce its end; it expires at the latest.
    const polled = leased ? await pollTogether(context, [leased]) : [];
    const own = polled.find(({ source }) => source._id === id);
    const waitMs = own ? waitAfter(own.result) : recheckMs;
    await sleep(waitMs, undefined, { signal }).catch(error => {
      throw fail("overloaded", "Polling this source takes too long; try again shortly.", {}, error);
    });
  }
}

/** Milliseconds until another check makes sense. Throws when that is longer than a caller waits. */
function waitAfter(outcome: PollOutcome): number {
  if (outcome === "lost") return recheckMs;
  if (typeof outcome === "string") return 0;
  const { postponeMs, cause } = outcome;
  if (postponeMs <= catchUpTimeoutMs) return postponeMs;
  const code = isUnavailable(cause) ? "connector_unavailable" : "overloaded";
  const extras = { retry_after: Math.ceil(postponeMs / 1000) };
  throw fail(code, "The source cannot be polled now; try again later.", extras, cause);
}

/**
 * A poll that began after the caller's arrival is enough, whatever its outcome, unless it left more to read. So one of
 * many callers polls, and a source that is polled without a pause blocks nobody. For followed sources no earlier poll
 * is recent: the next one returns again what was pushed since then, and new subscribers would receive it.
 */
function isFresh(
  { minIntervalMs }: TrackerContext,
  { kind, lease, health, polledAt, more }: StoredSource,
  cameAt: number,
): boolean {
  const isRecent = !isSocial(kind) && health === "ok" && cameAt - polledAt < minIntervalMs;
  return !more && (polledAt >= cameAt || (isRecent && lease === undefined));
}
