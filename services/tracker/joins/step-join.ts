import type { JoinState, ResolvedSource } from "../../contracts/connectors.contract.ts";
import { isUnavailable, type Platforms, refusal, retryAfterMs } from "../connectors.ts";
import type { TrackerClock, TrackerContext } from "../context.ts";
import { type Leased, LeasedSteps } from "../leased-steps.ts";
import { Scheduler } from "../scheduler.ts";
import { publicSource } from "../sources.store.ts";
import { beginTracking } from "../tracking/begin-tracking.ts";
import { ownAmong } from "../tracking/subscribe.ts";
import { unsubscribe } from "../tracking/untrack.ts";
import { endJob, ensureRequest } from "./join-jobs.ts";
import type { StoredJoin, StoredTrackJob } from "./joins.store.ts";

/** The steps of join requests. */
export const joinSteps = new LeasedSteps<StoredJoin>(({ joins }) => joins);

/** A join request whose next step only the holder of the token may take. */
export type LeasedJoin = Leased<StoredJoin>;

/** Concurrent steps. */
const concurrency = 16;

/** Takes the steps of join requests when they are due. Calls `onStep` after each. */
export function joinScheduler(
  context: TrackerContext,
  platforms: Platforms,
  onStep: () => void,
  onError: (error: unknown) => void,
): Scheduler<LeasedJoin> {
  return new Scheduler(
    {
      take: max => joinSteps.leaseDue(context, max),
      nextAt: () => joinSteps.nextAt(context),
      run: async join => {
        await stepJoin(context, join, platforms);
        onStep();
      },
      onError,
      now: context.now,
    },
    concurrency,
  );
}

/**
 * Takes the next step of a join request: send it, check for a decision, or track the source after it was accepted. The
 * request is marked as sent before it is sent, so a process that crashes at any moment continues with checking; it is
 * sent again only if the platform says that it has none. A step that fails is taken again later.
 */
export async function stepJoin(
  context: TrackerContext,
  join: LeasedJoin,
  platforms: Platforms,
): Promise<void> {
  if (!(await expireJobs(context, join))) return;
  if (join.isIn) return completeJoin(context, join, platforms);
  try {
    const standing =
      join.requestedAt === undefined
        ? await requestOnce(context, join, platforms)
        : await checkDecision(context, join, platforms);
    await recordStanding(context, join, standing);
  } catch (error) {
    await recordStanding(context, join, { state: "pending", notBefore: null });
    throw error;
  }
}

async function requestOnce(
  context: TrackerContext,
  join: LeasedJoin,
  platforms: Platforms,
): Promise<JoinState> {
  const { kind, invite } = join;
  const requestedAt = context.now();
  const isOurs = await joinSteps.write(context, join, current => ({ ...current, requestedAt }));
  // Another process has taken the request over, and sends it.
  if (!isOurs) return { state: "pending", notBefore: null };
  return answered(context, "unasked", platforms.requestJoin({ kind, invite }));
}

function checkDecision(
  context: TrackerContext,
  { kind, invite }: LeasedJoin,
  platforms: Platforms,
): Promise<JoinState> {
  return answered(context, "pending", platforms.checkJoin({ kind, invite }));
}

/** The platform's answer. A refusal is an answer too; so is an unavailable platform. */
async function answered(
  { now }: TrackerClock,
  whenAbsent: "unasked" | "pending",
  answer: Promise<JoinState>,
): Promise<JoinState> {
  try {
    return await answer;
  } catch (error) {
    const reason = refusal(error);
    if (reason !== null) return { state: "refused", reason };
    if (isUnavailable(error)) return { state: whenAbsent, notBefore: now() + retryAfterMs(error) };
    throw error;
  }
}

/** Milliseconds before another try when tracking failed after the join. */
const retryMs = 5000;

/** Tracks the joined source for each waiting key. */
async function completeJoin(context: TrackerContext, join: LeasedJoin, platforms: Platforms): Promise<void> {
  const { _id: joinId, kind, sid } = join;
  try {
    const resolved = await platforms.resolve({ kind, sid });
    for (const job of await context.jobs.find({ query: { joinId } }))
      await completeJob(context, job, resolved, platforms);
  } catch (error) {
    const reason = refusal(error);
    if (reason !== null) return recordStanding(context, join, { state: "refused", reason });
    await stepAgainIn(context, join, Math.max(retryMs, retryAfterMs(error)));
    if (isUnavailable(error)) return;
    throw error;
  }
  await stepAgainIn(context, join, 0);
}

/**
 * Starts one key's tracking, then ends its job: after a crash in between it is done again, and finds the source tracked. A
 * refusal concerns that key alone.
 */
async function completeJob(
  context: TrackerContext,
  job: StoredTrackJob,
  resolved: ResolvedSource,
  platforms: Platforms,
): Promise<void> {
  try {
    const { source, subscription, isNew } = await beginTracking(
      context,
      { ...job, ...ownAmong(job) },
      resolved,
      platforms,
    );
    const end = { state: "completed" as const, returnvalue: publicSource(source) };
    const hasEnded = (await endJob(context, job._id, end)) || (await context.jobs.findById(job._id));
    // The key was deleted meanwhile.
    if (!hasEnded && isNew) await unsubscribe(context, subscription);
  } catch (error) {
    const failedReason = refusal(error);
    if (failedReason === null) throw error;
    await endJob(context, job._id, { state: "failed", failedReason });
  }
}

/** Schedules the next step; it begins by checking whether any key still waits. */
async function stepAgainIn(context: TrackerContext, join: LeasedJoin, ms: number): Promise<void> {
  const dueAt = context.now() + ms;
  await joinSteps.write(context, join, ({ lease: _, ...current }) => ({ ...current, dueAt }));
}

/** Fails the jobs whose time is over. Deletes the request and returns false when no key waits for it any more. */
async function expireJobs(context: TrackerContext, join: LeasedJoin): Promise<boolean> {
  if (!(await isHeld(context, join))) return false;
  const failedReason = "Nobody approved the request to join within 7 days.";
  let isWanted = false;
  for (const { _id, failAt } of await jobsOf(context, join))
    if (failAt <= context.now()) await endJob(context, _id, { state: "failed", failedReason });
    else isWanted = true;
  if (!isWanted) await removeJoin(context, join);
  return isWanted;
}

/** A job that came at this moment gets the request back. */
async function removeJoin(context: TrackerContext, join: LeasedJoin): Promise<void> {
  await joinSteps.write(context, join, () => null);
  for (const job of await jobsOf(context, join)) await ensureRequest(context, job);
}

/** Stores the platform's answer: first for the jobs, then when the next step is due. */
async function recordStanding(context: TrackerContext, join: LeasedJoin, standing: JoinState): Promise<void> {
  if (!(await isHeld(context, join))) return;
  if (standing.state === "refused") {
    const end = { state: "failed" as const, failedReason: standing.reason };
    for (const { _id } of await jobsOf(context, join)) await endJob(context, _id, end);
    await removeJoin(context, join);
  } else if (standing.state === "in") {
    await context.jobs.updateMany({ joinId: join._id }, { $set: { state: "active" } });
    const dueAt = context.now();
    await joinSteps.write(context, join, ({ lease: _, ...current }) => ({ ...current, isIn: true, dueAt }));
  } else await joinSteps.write(context, join, current => waiting(context, current, standing));
}

function waiting(
  context: TrackerContext,
  { lease: _, ...join }: StoredJoin,
  { state, notBefore }: { state: "unasked" | "pending"; notBefore: number | null },
): StoredJoin {
  const now = context.now();
  const { requestedAt, ...unasked } = join;
  const dueAt = Math.max(now + decisionPollMs(now - (requestedAt ?? join.createdAt)), notBefore ?? 0);
  return { ...(state === "pending" ? join : unasked), dueAt };
}

async function isHeld({ joins }: TrackerContext, { _id, lease }: LeasedJoin): Promise<boolean> {
  return (await joins.findById(_id))?.lease === lease;
}

function jobsOf({ jobs }: TrackerContext, { _id }: StoredJoin): Promise<StoredTrackJob[]> {
  return jobs.find({ query: { joinId: _id } });
}

const shortestMs = 1000;
const longestMs = 3_600_000;

/**
 * Milliseconds until the next check for a decision: a quarter of the time that has passed. So the delay of noticing a
 * decision stays in proportion, and seven days take some two hundred checks.
 */
export function decisionPollMs(passedMs: number): number {
  return Math.min(Math.max(passedMs / 4, shortestMs), longestMs);
}
