import { randomUUID } from "node:crypto";
import { findPage, pagesOf } from "../../../mixins/store/pages.ts";
import { isInserted, updateIf } from "../../../mixins/store/update-if.ts";
import type { Caller } from "../../contracts/caller.ts";
import { fail } from "../../contracts/errors.ts";
import type { JoinJob, JoinsRequest } from "../../contracts/job-lists.contract.ts";
import type { ListPage } from "../../contracts/paging.ts";
import type { Source, SourceKind } from "../../contracts/source.ts";
import type { TrackJob, TrackQueued } from "../../contracts/tracker.contract.ts";
import { batchRetentionMs } from "../batches/batches.store.ts";
import type { TrackerContext, TrackerStores } from "../context.ts";
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
  // Creates the tally, through which maintenance finds keys that were deleted.
  await context.tallies.upsert(keyId, { $inc: { sources: 0 } });
  const limits = { trackedSources };
  const job: StoredTrackJob = {
    ...{ _id: randomUUID(), state: "waiting", keyId, kind, sid, joinId, limits, failAt: now + failAfterMs },
    ...(tags && { tags }),
  };
  const jobId = await openJob(context, job);
  await ensureRequest(context, job);
  context.onJoinRequested();
  const message = "The request to join waits for approval. Read its status with the job id.";
  return { message, jobId };
}

/** The key's open job for this request to join: the new one, or its former one, which gets the new one's tags. */
async function openJob({ jobs }: TrackerContext, job: StoredTrackJob): Promise<string> {
  const { joinId = null, keyId, tags } = job;
  for (;;) {
    if (await isInserted(jobs, job)) return job._id;
    const former = await jobs.findOne({ joinId, keyId });
    if (!former) continue;
    if (tags) await jobs.update(former._id, { $set: { tags } });
    return former._id;
  }
}

/** The request that an open job waits for is there, again if it is lost. */
export async function ensureRequest(
  { joins, now }: TrackerContext,
  { joinId, kind, sid }: StoredTrackJob,
): Promise<void> {
  if (joinId === undefined) return;
  const invite = joinId.slice(kind.length + 1);
  await isInserted(joins, { _id: joinId, kind, invite, sid, createdAt: now(), dueAt: now() });
}

const pageSize = 200;

/** Requests again what open jobs wait for, where the process died between the two. */
export async function restoreRequests(context: TrackerContext, signal: AbortSignal): Promise<void> {
  const query = { state: { $in: ["waiting", "active"] } };
  for await (const page of pagesOf(context.jobs, { query, limit: pageSize, signal }))
    for (const job of page) await ensureRequest(context, job);
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
    sid,
    state,
    ...(returnvalue && { returnvalue }),
    ...(failedReason !== undefined && { failedReason }),
    fails_at: new Date(failAt).toISOString(),
    ended_at: endedAt === undefined ? null : new Date(endedAt).toISOString(),
  };
}

type End = { state: "completed"; returnvalue: Source } | { state: "failed"; failedReason: string };

/** Ends a job; false when it has ended before or was deleted. */
export async function endJob(
  { jobs, now }: Pick<TrackerContext, "jobs" | "now">,
  jobId: string,
  end: End,
): Promise<boolean> {
  const isOpen = ({ joinId }: StoredTrackJob) => joinId !== undefined;
  const update = { $set: { ...end, endedAt: now() }, $unset: { joinId: true as const } };
  return (await updateIf(jobs, jobId, isOpen, update)) !== null;
}

/** Removes jobs that ended long ago. */
export async function pruneJobs({
  jobs,
  now,
  batchesKeptMs = batchRetentionMs,
}: TrackerContext): Promise<number> {
  return jobs.removeMany({ endedAt: { $lt: now() - batchesKeptMs } });
}
