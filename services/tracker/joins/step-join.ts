import type { JoinState, ResolvedSource } from "../../contracts/connectors.contract.ts";
import { fail } from "../../contracts/errors.ts";
import { isUnavailable, type Platforms, refusal, retryAfterMs } from "../connectors.ts";
import { type TrackerClock, type TrackerContext, type TrackerTransaction, transact } from "../context.ts";
import { type Leased, LeasedSteps } from "../leased-steps.ts";
import { Scheduler } from "../scheduler.ts";
import { publicSource } from "../sources.store.ts";
import { beginTracking } from "../tracking/begin-tracking.ts";
import { endJob } from "./join-jobs.ts";
import type { StoredJoin, StoredTrackJob } from "./joins.store.ts";

/** The steps of join requests. */
export const joinSteps = new LeasedSteps<StoredJoin>(
  ({ joins }) => joins,
  ({ joins }) => joins,
);

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
  const mark = { $set: { requestedAt: context.now() } };
  const isOurs = await joinSteps.write(context, join, ({ joins }) => void joins.updateById(join._id, mark));
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

/** Tracks the joined source for each waiting key, each in a transaction of its own. */
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

/** Ends one key's job in the transaction that starts its tracking. A refusal concerns that key alone. */
async function completeJob(
  context: TrackerContext,
  job: StoredTrackJob,
  resolved: ResolvedSource,
  platforms: Platforms,
): Promise<void> {
  try {
    await beginTracking(context, job, resolved, platforms, (tx, { source }) => {
      const end = { state: "completed" as const, returnvalue: publicSource(source) };
      // The key was deleted meanwhile: undo the whole transaction.
      if (!endJob(tx, job._id, end, context.now()))
        throw fail("not_found", "The job does not exist any more.");
    });
  } catch (error) {
    const failedReason = refusal(error);
    if (failedReason === null) throw error;
    await transact(context, tx => endJob(tx, job._id, { state: "failed", failedReason }, context.now()));
  }
}

/** Schedules the next step; it begins by checking whether any key still waits. */
async function stepAgainIn(context: TrackerContext, join: LeasedJoin, ms: number): Promise<void> {
  const dueAt = context.now() + ms;
  await joinSteps.write(
    context,
    join,
    ({ joins }) => void joins.updateById(join._id, { $set: { dueAt }, $unset: { lease: true } }),
  );
}

/** Fails the jobs whose time is over. Deletes the request and returns false when no key waits for it any more. */
async function expireJobs(context: TrackerContext, join: LeasedJoin): Promise<boolean> {
  let isWanted = false;
  await joinSteps.write(context, join, tx => {
    const now = context.now();
    const failedReason = "Nobody approved the request to join within 7 days.";
    for (const { _id, failAt } of jobsOf(tx, join))
      if (failAt <= now) endJob(tx, _id, { state: "failed", failedReason }, now);
    isWanted = jobsOf(tx, join).length > 0;
    if (!isWanted) tx.joins.removeById(join._id);
  });
  return isWanted;
}

/** Stores the platform's answer and when the next step is due. */
async function recordStanding(context: TrackerContext, join: LeasedJoin, standing: JoinState): Promise<void> {
  await joinSteps.write(context, join, (tx, current) => {
    if (standing.state === "refused") failJobs(context, tx, join, standing.reason);
    else if (standing.state === "in") markAccepted(context, tx, join);
    else waitForDecision(context, tx, current, standing);
  });
}

function failJobs(
  { now }: TrackerClock,
  tx: TrackerTransaction,
  join: StoredJoin,
  failedReason: string,
): void {
  for (const { _id } of jobsOf(tx, join)) endJob(tx, _id, { state: "failed", failedReason }, now());
  tx.joins.removeById(join._id);
}

function markAccepted({ now }: TrackerClock, tx: TrackerTransaction, join: StoredJoin): void {
  for (const { _id } of jobsOf(tx, join)) tx.jobs.updateById(_id, { $set: { state: "active" } });
  tx.joins.updateById(join._id, { $set: { isIn: true, dueAt: now() }, $unset: { lease: true } });
}

function waitForDecision(
  context: TrackerContext,
  { joins }: TrackerTransaction,
  { _id, createdAt, requestedAt }: StoredJoin,
  { state, notBefore }: { state: "unasked" | "pending"; notBefore: number | null },
): void {
  const now = context.now();
  const dueAt = Math.max(now + decisionPollMs(now - (requestedAt ?? createdAt)), notBefore ?? 0);
  const isAsked = state === "pending";
  joins.updateById(_id, { $set: { dueAt }, $unset: { lease: true, ...(!isAsked && { requestedAt: true }) } });
}

function jobsOf({ jobs }: TrackerTransaction, { _id }: StoredJoin): StoredTrackJob[] {
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
