import { unsealFields } from "../../../mixins/clients/job-vault.ts";
import { codeOf } from "../../contracts/errors.ts";
import type { Source } from "../../contracts/source.ts";
import type { BatchEntry } from "../../contracts/track-batch.contract.ts";
import { viewRecord, type WatchedSource } from "../../contracts/watch.contract.ts";
import { isUnavailable, type Platforms, refusal, retryAfterMs } from "../connectors.ts";
import type { TrackerContext } from "../context.ts";
import { HostShare } from "../host-share.ts";
import { type Leased, LeasedSteps } from "../leased-steps.ts";
import { Scheduler } from "../scheduler.ts";
import { isSocial } from "../source-kinds.ts";
import { track } from "../tracking/track.ts";
import { untrack } from "../tracking/untrack.ts";
import type { StoredEntry } from "./batches.store.ts";

/** The entries of batches. */
export const entrySteps = new LeasedSteps<StoredEntry>(({ entries }) => entries);

/** Entries at a time. Each may read a page or ask a network, and mostly waits for it. */
const concurrency = 64;
/** How many entries of one host or network run at a time; and the milliseconds between the tries of an entry that finds no slot. */
const [ofOneHost, gapMs] = [8, 100];
/** Milliseconds before an entry is tried again, by the tries that failed. */
const retryAfter = [5000, 30_000, 120_000, 600_000];

/** Tracks the entries of batches when they are due. */
export function entryScheduler(
  context: TrackerContext,
  platforms: Platforms,
  onTracked: () => void,
  onError: (error: unknown) => void,
): Scheduler<Leased<StoredEntry>> {
  const share = new HostShare(ofOneHost, gapMs);
  return new Scheduler(
    {
      take: max => entrySteps.leaseDue(context, max),
      nextAt: () => entrySteps.nextAt(context),
      run: async entry => {
        const { source, sid } = entry.wanted;
        const host = isSocial(source) || source === "search" ? source : (URL.parse(sid)?.host ?? "");
        const step = () => stepEntry(context, entry, platforms);
        const againAt = await share.run(host, context.now(), step);
        if (againAt === null) onTracked();
        else await putOff(context, entry, againAt);
      },
      onError,
      now: context.now,
    },
    concurrency,
  );
}

/**
 * Tracks one entry as a request of its own would. It may be done twice when a process dies: the second time the source is
 * `known`. A refusal ends the entry; anything else is tried again for a quarter of an hour, and longer while the network
 * itself is away.
 */
export async function stepEntry(
  context: TrackerContext,
  entry: Leased<StoredEntry>,
  platforms: Platforms,
): Promise<void> {
  const { keyId, owner, limits, wanted } = entry;
  if (wanted.leaves !== undefined) {
    await leave(context, entry, wanted.leaves);
    return;
  }
  try {
    const { options: kept = {}, ...source } = wanted;
    const options = await unsealFields(context.vault, viewRecord(keyId), kept);
    const outcome = await track(context, { keyId, owner, limits }, { ...source, options }, platforms);
    const end =
      "jobId" in outcome
        ? ({ status: "waiting", jobId: outcome.jobId } as const)
        : ({ status: outcome.isNew ? "tracked" : "known", data: withoutOptions(outcome.data) } as const);
    await endEntry(context, entry, end);
  } catch (error) {
    if (isFinal(entry, error)) return endEntry(context, entry, { status: "failed", error: described(error) });
    await postpone(context, entry, error);
    if (codeOf(error) === undefined) throw error;
  }
}

/** A try that did not take place. */
async function putOff(context: TrackerContext, entry: Leased<StoredEntry>, dueAt: number): Promise<void> {
  await entrySteps.write(context, entry, ({ lease: _, ...current }) => ({ ...current, dueAt }));
}

/** Milliseconds until it is checked again whether all others have been tried. */
const leaveAgainMs = 1000;

/**
 * Stops to track a source that a document does not name. It may name it by another address, from which the source has
 * moved: then it is among those that were tracked.
 */
async function leave(context: TrackerContext, entry: Leased<StoredEntry>, id: string): Promise<void> {
  const { batchId, keyId, wanted } = entry;
  const untried = { batchId, status: "pending", failures: 0, "wanted.leaves": null } as const;
  if (await context.entries.findOne(untried)) return putOff(context, entry, context.now() + leaveAgainMs);
  const named = await context.entries.findOne({ batchId, "data.id": id });
  if (named) return endEntry(context, entry, { status: "known", ...(named.data && { data: named.data }) });
  try {
    const { data } = await untrack(context, { keyId }, { source: wanted.source, iid: id });
    await endEntry(context, entry, { status: "removed", data });
  } catch (error) {
    if (codeOf(error) !== "not_found") throw error;
    await endEntry(context, entry, { status: "removed" });
  }
}

function withoutOptions({ options: _, ...source }: WatchedSource): Source {
  return source;
}

function isFinal({ failures }: StoredEntry, error: unknown): boolean {
  return refusal(error) !== null || (!isUnavailable(error) && failures >= retryAfter.length);
}

type End = Pick<BatchEntry, "status" | "data" | "jobId" | "error">;

async function endEntry(context: TrackerContext, entry: Leased<StoredEntry>, end: End): Promise<void> {
  const { keyId, wanted } = entry;
  const { listed } = wanted;
  // Before the entry ends: after a crash in between it is tried again.
  if (listed && end.data)
    await context.subscriptions.updateMany({ keyId, sourceId: end.data.id }, { $set: { listed } });
  await entrySteps.write(context, entry, ({ lease: _lease, dueAt: _dueAt, error: _error, ...current }) => ({
    ...current,
    ...end,
  }));
}

async function postpone(context: TrackerContext, entry: Leased<StoredEntry>, error: unknown): Promise<void> {
  const { failures } = entry;
  const usualMs = retryAfter[Math.min(failures, retryAfter.length - 1)] ?? 0;
  const dueAt = context.now() + Math.max(usualMs, retryAfterMs(error));
  const changes = { dueAt, failures: failures + 1, error: described(error) };
  await entrySteps.write(context, entry, ({ lease: _, ...current }) => ({ ...current, ...changes }));
}

/** Only errors with a code have a message for clients. */
function described(error: unknown): { code: string; message: string } {
  const code = codeOf(error);
  if (code === undefined)
    return { code: "internal_error", message: "Something went wrong here; it is tried again." };
  return { code, message: (error as Error).message };
}
