import { delayAfter, isFarOff, longestPauseMs, retryDelayAfter, type Schedule } from "./backoff.ts";
import { type Attempt, type Lane, markDone, markFailed, type PendingEvent, type Retry } from "./lane.ts";
import { isProbeDue } from "./next-attempts.ts";

/** How an attempt ended. */
export interface Outcome {
  ok: boolean;
  /** Null when no answer came. */
  status: number | null;
  /** The pause that the endpoint asks for, in milliseconds; 0 for none. */
  retryAfterMs: number;
}

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
}

const maxWindow = 64;
const maxStreak = 5;
const maxFailures = 5;
const streakSpanMs = 86_400_000;
/** Clocks may differ by this much. */
const toleranceMs = 60_000;

/**
 * Client-error statuses (RFC 9110, 6585, 8470) that concern the endpoint as a whole, whatever the event: not
 * authorised, wrong method, too slow, too early, too many.
 */
const ofTheEndpoint = [401, 403, 404, 405, 407, 408, 410, 421, 425, 429];

/**
 * The lane after an attempt. Five episodes of failure in a row within 24 h, or one 404 or 410, make it FAILED. An event
 * with five failures is dead if the endpoint has accepted another since the failure before; the events of a failing
 * endpoint are kept. A batch that failed twice is halved, and so on, until the refused event is alone.
 */
export function applyOutcome(
  lane: Lane,
  attempt: Attempt,
  outcome: Outcome,
  now: number,
  policy: Policy,
): AppliedOutcome {
  const before = new Map(lane.retries.map(retry => [retry.seq, retry]));
  const tries = attempt.events.map(({ seq }) => (before.get(seq)?.failures ?? 0) + 1);
  const all = (verdict: Verdict["verdict"]) => tries.map(attempts => ({ verdict, attempts }));
  if (attempt.epoch !== lane.epoch) return { lane, verdicts: all(outcome.ok ? "succeeded" : "failed") };
  const seqs = attempt.events.map(({ seq }) => seq);
  if (outcome.ok) return { lane: succeeded(markDone(lane, seqs), now), verdicts: all("succeeded") };
  const isDead = isAtFault(lane, attempt, outcome, now);
  const failed = countFailure(lane, attempt, outcome, now, { ...policy, isDead });
  if (isDead && failed.status === "ACTIVE") return { lane: markDone(failed, seqs), verdicts: all("dead") };
  return { lane: markFailed(failed, retriesOf(attempt.events, tries, now, policy)), verdicts: all("failed") };
}

/** Whether the lane contains the outcome of an attempt: its events are done, or have failed that often. */
export function isApplied(lane: Lane, { events: [first] }: Attempt, attempts: number): boolean {
  if (!first) return true;
  const retry = lane.retries.find(({ seq }) => seq === first.seq);
  return retry ? retry.failures >= attempts : first.seq <= lane.position || lane.settled.includes(first.seq);
}

function succeeded(lane: Lane, now: number): Lane {
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

function countFailure(
  lane: Lane,
  attempt: Attempt,
  outcome: Outcome,
  now: number,
  { schedule, spread, isDead }: Policy & { isDead: boolean },
): Lane {
  // The outcome says nothing about the changed endpoint.
  if (attempt.revision !== lane.revision) return lane;
  const opens = lane.streak.length === 0 || isProbeDue(lane, now, schedule);
  const streak = opens ? [...lane.streak.filter(time => time > now - streakSpanMs), now] : lane.streak;
  const isGone = outcome.status === 404 || outcome.status === 410;
  // An attempt that was under way when another failed shows the same failure, not one more in a row.
  const isMiss = attempt.turn === lane.turn;
  return {
    ...lane,
    status: isGone || (streak.length >= maxStreak && !isDead) ? "FAILED" : lane.status,
    streak,
    misses: lane.misses + (isMiss ? 1 : 0),
    probeAt: opens ? now + delayAfter(streak.length, schedule, spread) : lane.probeAt,
    pausedUntil: Math.max(pauseOf(lane, now), now + outcome.retryAfterMs),
    window: Math.max(Math.floor(lane.window / 2), 1),
    turn: lane.turn + (isMiss ? 1 : 0),
  };
}

/** The retries of a failed attempt's events. */
function retriesOf(
  events: readonly PendingEvent[],
  tries: number[],
  now: number,
  { schedule, spread }: Policy,
): Retry[] {
  const failures = Math.max(...tries);
  const [first] = events;
  const isAlone = events.length === 1;
  // A batch is retried once as it is; then its halves, without a long wait, since most events are innocent.
  const half = failures < 2 ? events.length : Math.ceil(events.length / 2);
  const notBefore = now + retryDelayAfter(isAlone ? failures : 1, schedule, spread);
  return events.map(({ seq, conversation }, at) => {
    const [from, size] = at < half ? [first, half] : [events[half], events.length - half];
    const batch = size > 1 && from ? { batch: from.seq } : {};
    return { seq, conversation, failures: tries[at] ?? 1, notBefore, failedAt: now, ...batch };
  });
}

/** Whether the event is to blame after enough failures, and not the endpoint. */
function isAtFault(lane: Lane, { events }: Attempt, outcome: Outcome, now: number): boolean {
  const [{ seq } = { seq: 0 }, ...others] = events;
  const retry = lane.retries.find(each => each.seq === seq);
  if (others.length > 0 || !retry || retry.failures < maxFailures - 1) return false;
  const took = lane.takenAt ?? Number.NEGATIVE_INFINITY;
  // If the clock was ahead by more, this time is meaningless.
  if (took > now + toleranceMs) return false;
  return took >= retry.failedAt || isLonePoison(lane, retry, outcome, now - took);
}

/** Only this event has failed since the endpoint accepted another within 24 h, and the status concerns the event. */
function isLonePoison({ retries }: Lane, { seq }: Retry, { status }: Outcome, tookAgoMs: number): boolean {
  const isAlone = retries.every(retry => retry.failures === 0 || retry.seq === seq);
  // A 5xx concerns the endpoint: an outage must not lose a lone event.
  const isRefused = status !== null && status >= 400 && status < 500 && !ofTheEndpoint.includes(status);
  return isAlone && isRefused && tookAgoMs < streakSpanMs;
}

/** The pause that still applies; none if a clock that was ahead has set it. */
function pauseOf({ pausedUntil }: Lane, now: number): number {
  return isFarOff(pausedUntil, now, longestPauseMs) ? 0 : pausedUntil;
}
