import { randomUUID } from "node:crypto";
import { findPage } from "../../../mixins/store/pages.ts";
import type { Caller } from "../../contracts/caller.ts";
import { fail } from "../../contracts/errors.ts";
import type { JoinJob, JoinsRequest } from "../../contracts/job-lists.contract.ts";
import type { ListPage } from "../../contracts/paging.ts";
import type { Source, SourceKind } from "../../contracts/source.ts";
import type { TrackJob, TrackQueued } from "../../contracts/tracker.contract.ts";
import { type TrackerContext, type TrackerStores, type TrackerTransaction, transact } from "../context.ts";
import type { StoredTrackJob } from "./joins.store.ts";

/** A request that nobody answers fails after 7 days. */
const failAfterMs = 7 * 24 * 3_600_000;

interface Invitation {
  kind: SourceKind;
  sid: string;
  invite: string;
}

/** Stores that a key wants to join. The platform is asked once, however many keys want it and however often. */
export async function requestToJoin(
  context: TrackerContext,
  { keyId, limits: { trackedSources }, tags }: Caller & { tags?: string[] },
  { kind, sid, invite }: Invitation,
): Promise<TrackQueued> {
  const now = context.now();
  const joinId = `${kind} ${invite}`;
  const jobId = await transact(context, tx => {
    const former = openJob(tx, joinId, keyId);
    if (former) {
      if (tags) tx.jobs.updateById(former._id, { $set: { tags } });
      return former._id;
    }
    if (!tx.joins.findById(joinId))
      tx.joins.insert({ _id: joinId, kind, invite, sid, createdAt: now, dueAt: now });
    // Creates the tally, through which maintenance finds keys that were deleted.
    tx.tallies.upsertById(keyId, { $inc: { sources: 0 } });
    const limits = { trackedSources };
    const job = { keyId, kind, sid, joinId, limits, ...(tags && { tags }), failAt: now + failAfterMs };
    return tx.jobs.insert({ _id: randomUUID(), state: "waiting", ...job })._id;
  });
  context.onJoinRequested();
  const message = "The request to join waits for approval. Read its status with the job id.";
  return { message, jobId };
}

function openJob({ jobs }: TrackerTransaction, joinId: string, keyId: string): StoredTrackJob | undefined {
  return jobs.find({ query: { joinId, keyId }, limit: 1 })[0];
}

/** The state of a key's job. */
export async function jobStatus(
  { jobs }: TrackerStores,
  { keyId }: Caller,
  { source: kind, id }: { source: SourceKind; id: string },
): Promise<TrackJob> {
  const job = await jobs.findById(id);
  if (job?.keyId !== keyId || job.kind !== kind) throw fail("not_found", "This API key has no such job.");
  const { state, returnvalue, failedReason } = job;
  return {
    id,
    state,
    ...(returnvalue && { returnvalue }),
    ...(failedReason !== undefined && { failedReason }),
  };
}

/** The join jobs of a key, or of all. */
export async function listJobs(
  { jobs }: Pick<TrackerStores, "jobs">,
  { key_id, status, ...wanted }: JoinsRequest,
): Promise<ListPage<JoinJob>> {
  const query = { ...(key_id !== undefined && { keyId: key_id }), ...(status && { state: status }) };
  const { page, next_cursor } = await findPage(jobs, { ...wanted, query });
  return { data: page.map(describe), next_cursor, message: "Requests to join listed." };
}

function describe(job: StoredTrackJob): JoinJob {
  const { _id, keyId, kind, sid, state, returnvalue, failedReason, failAt, endedAt } = job;
  return {
    id: _id,
    key_id: keyId,
    source: kind.toUpperCase(),
    sid: sid ?? null,
    state,
    ...(returnvalue && { returnvalue }),
    ...(failedReason !== undefined && { failedReason }),
    fails_at: new Date(failAt).toISOString(),
    ended_at: endedAt === undefined ? null : new Date(endedAt).toISOString(),
  };
}

type End = { state: "completed"; returnvalue: Source } | { state: "failed"; failedReason: string };

/** Ends a job within a transaction; false when it has ended before or was deleted. */
export function endJob({ jobs }: TrackerTransaction, jobId: string, end: End, now: number): boolean {
  if (jobs.findById(jobId)?.joinId === undefined) return false;
  jobs.updateById(jobId, { $set: { ...end, endedAt: now }, $unset: { joinId: true } });
  return true;
}

/** Milliseconds for which an ended job can be read. */
const retentionMs = 7 * 24 * 3_600_000;

/** Removes jobs that ended long ago. */
export async function pruneJobs({ jobs, now }: TrackerContext): Promise<number> {
  return jobs.removeMany({ endedAt: { $lt: now() - retentionMs } });
}
