import { delayAfter, type Schedule } from "./backoff.ts";
import { isFarOff } from "./far-off.ts";
import { type Attempt, held, type Lane, settled } from "./lane.ts";
import { longestPauseMs } from "./retry-after.ts";

/** How an attempt ended, as far as the lane is concerned. */
export interface Outcome {
  ok: boolean;
  /** Null when no answer came. */
  status: number | null;
  /** Milliseconds that the endpoint asks to be left alone; 0 for none. */
  retryAfterMs: number;
}

export interface Settlement {
  lane: Lane;
  verdict: "succeeded" | "failed" | "dead";
  /** Attempts of this event so far, this one included. */
  attempts: number;
}

export interface Policy {
  schedule: Schedule;
  /** From `jitter`. */
  spread: number;
}

const maxWindow = 16;
const maxStreak = 5;
const maxFailures = 5;
const streakSpanMs = 86_400_000;

/**
 * Answers of the class that blames the request (RFC 9110, 6585, 8470) which speak of the endpoint as a whole all the
 * same, whatever the event: not let in, no such method, too slow, too early, too many.
 */
const ofTheEndpoint = [401, 403, 404, 405, 407, 408, 410, 421, 425, 429];

/**
 * The lane after an attempt. Five counted failures in a row inside 24 h, or one 404 or 410, make it FAILED. An event
 * with five failures of an endpoint that takes others is dead; the event whose failures made the lane FAILED is kept.
 * Five failures of a lone event that the receiver refuses do not make it FAILED when it took another inside 24 h; the
 * next failure does.
 */
export function settle(
  lane: Lane,
  attempt: Attempt,
  outcome: Outcome,
  now: number,
  policy: Policy,
): Settlement {
  const before = lane.retries.find(({ seq }) => seq === attempt.seq)?.failures ?? 0;
  const attempts = before + 1;
  if (attempt.epoch !== lane.epoch) return { lane, verdict: outcome.ok ? "succeeded" : "failed", attempts };
  if (outcome.ok) return { lane: succeeded(lane, attempt.seq, now), verdict: "succeeded", attempts };
  const failed = countFailure(lane, attempt, outcome, now, policy);
  if (attempts >= maxFailures && failed.status === "ACTIVE")
    return { lane: settled(failed, attempt.seq), verdict: "dead", attempts };
  const notBefore = now + delayAfter(attempts, policy.schedule, policy.spread);
  const retry = { seq: attempt.seq, source: attempt.source, failures: attempts, notBefore };
  return { lane: held(failed, retry), verdict: "failed", attempts };
}

/** Whether the lane has what came of an attempt: its event is done with, or has failed as often as it had by then. */
export function isSettled(lane: Lane, { seq }: Attempt, attempts: number): boolean {
  const retry = lane.retries.find(each => each.seq === seq);
  return retry ? retry.failures >= attempts : seq <= lane.position || lane.settled.includes(seq);
}

function succeeded(lane: Lane, seq: number, now: number): Lane {
  const window = Math.min(lane.window * 2, maxWindow);
  const pausedUntil = pauseOf(lane, now);
  return { ...settled(lane, seq), streak: [], takenAt: now, probeAt: 0, pausedUntil, window };
}

function countFailure(
  lane: Lane,
  attempt: Attempt,
  outcome: Outcome,
  now: number,
  { schedule, spread }: Policy,
): Lane {
  // Whatever was under way when a streak began is one sign of one outage, not many in a row.
  const counts = attempt.turn === lane.turn;
  const streak = counts ? [...lane.streak.filter(time => time > now - streakSpanMs), now] : lane.streak;
  const isFull = streak.length >= maxStreak;
  const gone = outcome.status === 404 || outcome.status === 410;
  return {
    ...lane,
    status: gone || (isFull && !isLonePoison(lane, attempt, outcome, now)) ? "FAILED" : lane.status,
    streak,
    probeAt: counts ? now + delayAfter(streak.length, schedule, spread) : lane.probeAt,
    pausedUntil: Math.max(pauseOf(lane, now), now + outcome.retryAfterMs),
    window: 1,
    turn: lane.turn + (counts ? 1 : 0),
  };
}

/** Nothing but this event failed since the endpoint took another, and its fifth answer speaks of the event again. */
function isLonePoison(lane: Lane, { seq }: Attempt, { status }: Outcome, now: number): boolean {
  const failed = lane.retries.filter(({ failures }) => failures > 0);
  const isAlone = failed.length === 1 && failed[0]?.seq === seq && failed[0].failures === maxFailures - 1;
  // A 5xx blames the endpoint: during an outage of it a lone event must not be lost.
  const isRefused = status !== null && status >= 400 && status < 500 && !ofTheEndpoint.includes(status);
  // A clock that was ahead by more knows nothing of these hours.
  return isAlone && isRefused && lane.takenAt !== null && Math.abs(now - lane.takenAt) < streakSpanMs;
}

/** The pause that is still asked for; none when the clock was ahead as it was asked for. */
function pauseOf({ pausedUntil }: Lane, now: number): number {
  return isFarOff(pausedUntil, now, longestPauseMs) ? 0 : pausedUntil;
}
