import { delayAfter, isFarOff, longestPauseMs, retryDelayAfter, type Schedule } from "./backoff.ts";
import { withHealth } from "./endpoint-health.ts";
import {
  type Attempt,
  dueAtOnce,
  faultsOf,
  type Lane,
  markDone,
  markFailed,
  type PendingEvent,
  type Retry,
  unproven,
} from "./lane.ts";
import { isProbeDue } from "./next-attempts.ts";

/** How an attempt ended. */
export interface Outcome {
  ok: boolean;
  /** Null when no answer came. */
  status: number | null;
  /** The pause that the endpoint asks for, in milliseconds; 0 for none. */
  retryAfterMs: number;
  /** Why it failed, as deliveries say it. */
  error?: string | null;
  /** What a failure says; by default what HTTP says of its status. */
  blame?: Blame | undefined;
}

/**
 * `gone`: there is no such endpoint any more. `endpoint`: it fails, whatever the event. `event`: it refuses this one.
 * `nobody`: it passes, or is the operator's; however often, it does not make the endpoint FAILED.
 */
export type Blame = "gone" | "endpoint" | "event" | "nobody";

/** The outcome for one event of an attempt. */
export interface Verdict {
  verdict: "succeeded" | "failed" | "dead";
  /** The event's attempts so far, including this one. */
  attempts: number;
}

export interface AppliedOutcome {
  lane: Lane;
  /** In the order of the attempt's events. */
  verdicts: Verdict[];
}

export interface Policy {
  schedule: Schedule;
  /** From `jitter`. */
  spread: number;
  /** Whether the endpoint has a fallback, which gets its events once it has FAILED. */
  hasFallback?: boolean;
}

export const maxWindow = 64;
const maxStreak = 5;
const maxFailures = 5;
const streakSpanMs = 86_400_000;
/** Clocks may differ by this much. */
const toleranceMs = 60_000;

/**
 * Client-error statuses (RFC 4918, 6585, 8470, 9110) that concern the endpoint as a whole, whatever the event: not
 * authorised, wrong method, too slow, failed behind it, too early, too many.
 */
const ofTheEndpoint = [401, 403, 404, 405, 407, 408, 410, 421, 424, 425, 429];

function blameOf({ status, blame }: Outcome): Blame {
  if (blame) return blame;
  if (status === 404 || status === 410) return "gone";
  // A 5xx concerns the endpoint: an outage must not lose a lone event.
  const isRefused = status !== null && status >= 400 && status < 500 && !ofTheEndpoint.includes(status);
  return isRefused ? "event" : "endpoint";
}

/**
 * The lane after an attempt. Five episodes of failure in a row within 24 h, or one 404 or 410, make it FAILED. An event
 * with five failures is dead if the endpoint has accepted another since the failure before; the events of a failing
 * endpoint are kept. An endpoint that asks for fewer requests says nothing of the event. A batch that failed twice is
 * halved, and so on, until the refused event is alone.
 */
export function applyOutcome(
  lane: Lane,
  attempt: Attempt,
  outcome: Outcome,
  now: number,
  policy: Policy,
): AppliedOutcome {
  const tries = triesOf(lane, attempt, outcome);
  const all = (verdict: Verdict["verdict"]) => tries.map(({ failures }) => ({ verdict, attempts: failures }));
  if (attempt.epoch !== lane.epoch) return { lane, verdicts: all(outcome.ok ? "succeeded" : "failed") };
  const seqs = attempt.events.map(({ seq }) => seq);
  const noted = (after: Lane) => withHealth(lane, after, outcome, now);
  if (outcome.ok) return { lane: noted(succeeded(markDone(lane, seqs), now)), verdicts: all("succeeded") };
  const isDead = isAtFault(lane, attempt, outcome, now);
  const failed = noted(countFailure(lane, attempt, outcome, now, { ...policy, isDead }));
  const isDiverted = failed.diverted !== lane.diverted;
  if (isDead && failed.status === "ACTIVE" && !isDiverted)
    return { lane: markDone(failed, seqs), verdicts: all("dead") };
  const waiting = markFailed(failed, retriesOf(attempt.events, tries, now, policy));
  return { lane: isDiverted ? dueAtOnce(waiting) : waiting, verdicts: all("failed") };
}

/** Whether the lane contains the outcome of an attempt: its events are done, or have failed that often. */
export function isApplied(lane: Lane, { events: [first] }: Attempt, attempts: number): boolean {
  if (!first) return true;
  const retry = lane.retries.find(({ seq }) => seq === first.seq);
  return retry ? retry.failures >= attempts : first.seq <= lane.position || lane.settled.includes(first.seq);
}

function succeeded(before: Lane, now: number): Lane {
  const lane = before.file ? withoutFile(before) : before;
  const window = Math.min(lane.window * 2, maxWindow);
  return {
    ...lane,
    streak: [],
    misses: 0,
    takenAt: now,
    probeAt: 0,
    pausedUntil: pauseOf(lane, now),
    window,
  };
}

/** The file is complete: the next one has a name of its own. */
function withoutFile({ file: _, ...lane }: Lane): Lane {
  return lane;
}

function countFailure(
  lane: Lane,
  attempt: Attempt,
  outcome: Outcome,
  now: number,
  { schedule, spread, hasFallback, isDead }: Policy & { isDead: boolean },
): Lane {
  // The outcome says nothing about the changed endpoint.
  if (attempt.revision !== lane.revision || attempt.diverted !== lane.diverted) return lane;
  const opens = lane.streak.length === 0 || isProbeDue(lane, now, schedule);
  const streak = opens ? [...lane.streak.filter(time => time > now - streakSpanMs), now] : lane.streak;
  const blame = blameOf(outcome);
  const hasFailed = blame === "gone" || (blame !== "nobody" && streak.length >= maxStreak && !isDead);
  if (hasFailed && hasFallback && !lane.diverted) return divert(lane);
  // An attempt that was under way when another failed shows the same failure, not one more in a row.
  const isMiss = attempt.missEpoch === lane.missEpoch;
  return {
    ...lane,
    status: hasFailed ? "FAILED" : lane.status,
    streak,
    misses: lane.misses + (isMiss ? 1 : 0),
    probeAt: opens ? now + delayAfter(streak.length, schedule, spread) : lane.probeAt,
    pausedUntil: Math.max(pauseOf(lane, now), now + outcome.retryAfterMs),
    window: Math.max(Math.floor(lane.window / 2), 1),
    missEpoch: lane.missEpoch + (isMiss ? 1 : 0),
  };
}

/** The lane whose events go to the fallback from now on, which nothing is known of yet. */
function divert(lane: Lane): Lane {
  return {
    ...lane,
    diverted: true,
    ...unproven(),
    missEpoch: lane.missEpoch + 1,
  };
}

type Try = Required<Pick<Retry, "failures" | "limited">>;

/** How often each event of an attempt has been tried, this time included. */
function triesOf({ retries }: Lane, { events }: Attempt, outcome: Outcome): Try[] {
  const before = new Map(retries.map(retry => [retry.seq, retry]));
  return events.map(({ seq }) => {
    const { failures = 0, limited = 0 } = before.get(seq) ?? {};
    return { failures: failures + 1, limited: limited + (sparesEvents(outcome) ? 1 : 0) };
  });
}

/** Too many requests (RFC 6585), too busy for now (RFC 9110, 15.6.4), or something else that passes. */
function sparesEvents({ status, retryAfterMs, blame }: Outcome): boolean {
  return blame === "nobody" || status === 429 || (status === 503 && retryAfterMs > 0);
}

/** The retries of a failed attempt's events. */
function retriesOf(
  events: readonly PendingEvent[],
  tries: Try[],
  now: number,
  { schedule, spread }: Policy,
): Retry[] {
  const failures = Math.max(1, ...tries.map(faultsOf));
  const [first] = events;
  const isAlone = events.length === 1;
  // A batch is retried once as it is; then its halves, without a long wait, since most events are innocent.
  const half = failures < 2 ? events.length : Math.ceil(events.length / 2);
  const notBefore = now + retryDelayAfter(isAlone ? failures : 1, schedule, spread);
  return events.map(({ seq, conversation }, at) => {
    const [from, size] = at < half ? [first, half] : [events[half], events.length - half];
    const batch = size > 1 && from ? { batch: from.seq } : {};
    const { failures: tried = 1, limited = 0 } = tries[at] ?? {};
    const own = limited > 0 ? { limited } : {};
    return { seq, conversation, failures: tried, ...own, notBefore, failedAt: now, ...batch };
  });
}

/** Whether the event is to blame after enough failures, and not the endpoint. */
function isAtFault(lane: Lane, { events }: Attempt, outcome: Outcome, now: number): boolean {
  const [{ seq } = { seq: 0 }, ...others] = events;
  const retry = lane.retries.find(each => each.seq === seq);
  if (others.length > 0 || !retry || sparesEvents(outcome)) return false;
  if (faultsOf(retry) < maxFailures - 1) return false;
  const took = lane.takenAt ?? Number.NEGATIVE_INFINITY;
  // If the clock was ahead by more, this time is meaningless.
  if (took > now + toleranceMs) return false;
  return took >= retry.failedAt || isLonePoison(lane, retry, outcome, now - took);
}

/** Only this event has failed since the endpoint accepted another within 24 h, and the status concerns the event. */
function isLonePoison({ retries }: Lane, { seq }: Retry, outcome: Outcome, tookAgoMs: number): boolean {
  const isAlone = retries.every(retry => retry.failures === 0 || retry.seq === seq);
  return isAlone && blameOf(outcome) === "event" && tookAgoMs < streakSpanMs;
}

/** The pause that still applies; none if a clock that was ahead has set it. */
function pauseOf({ pausedUntil }: Lane, now: number): number {
  return isFarOff(pausedUntil, now, longestPauseMs) ? 0 : pausedUntil;
}
