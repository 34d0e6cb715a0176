import { createHash } from "node:crypto";
import { applyOutcome, type Outcome, type Policy } from "./apply-outcome.ts";
import { isFarOff } from "./backoff.ts";
import { type Lane, type PlannedDigest, passOver } from "./lane.ts";

/** Milliseconds from the first event that waits to the mail. */
export const digestMs = { "15m": 900_000, "1h": 3_600_000, "1d": 86_400_000 };

/** The lane of an event that waits for the next digest. */
export function withDigest(lane: Lane, dueAt: number): Lane {
  return lane.digest ? lane : { ...lane, digest: { dueAt, failures: 0 } };
}

/** The lane of a digest that ends at a position, unless another node has given it another end than the known one. */
export function endAt(lane: Lane, known: number | undefined, to: number): Lane {
  const { digest } = lane;
  return digest && digest.to === known ? { ...lane, digest: { ...digest, to } } : lane;
}

/** The lane after a change of its endpoint that leaves the interval: changes must not put the digest off. */
export function keepTime(lane: Lane, { digest }: Lane): Lane {
  return digest && lane.status === "ACTIVE" ? withDigest(lane, digest.dueAt) : lane;
}

/** Whether its time has come. One that is further ahead than the interval was set by a clock that was ahead. */
export function isDigestDue({ dueAt }: PlannedDigest, interval: keyof typeof digestMs, now: number): boolean {
  return dueAt <= now || isFarOff(dueAt, now, digestMs[interval]);
}

/** The id of a digest; equal events of an endpoint have an equal one. */
export function digestId(laneId: string, epoch: number, firstEvent: string, to: number): string {
  const hash = createHash("sha256").update([laneId, epoch, firstEvent, to].join()).digest("base64url");
  return `dig_${hash.slice(0, 24)}`;
}

/** The lane without everything up to a position, retries too, and ready for the next digest. */
export function doneThrough({ digest: _, ...lane }: Lane, to: number): Lane {
  const retries = lane.retries.filter(({ seq }) => seq > to);
  const span = to > lane.position ? [{ from: lane.position + 1, to }] : [];
  return passOver({ ...lane, retries }, span);
}

/** A digest under way, with the lane's counters when it began. */
export type DigestAttempt = Pick<Lane, "missEpoch" | "epoch" | "revision"> & { to: number; failures: number };

/** The lane after a digest was sent or has failed. Applied once more, it changes nothing. */
export function applyDigest(
  lane: Lane,
  { to, failures, ...counters }: DigestAttempt,
  outcome: Outcome,
  now: number,
  policy: Policy,
): Lane {
  if (lane.epoch !== counters.epoch) return lane;
  const isOver = outcome.ok ? lane.position >= to && !lane.digest : (lane.digest?.failures ?? 0) > failures;
  if (isOver) return lane;
  const { lane: next } = applyOutcome(lane, { events: [], ...counters }, outcome, now, policy);
  if (outcome.ok) return doneThrough(next, to);
  return next.digest ? { ...next, digest: { ...next.digest, failures: failures + 1 } } : next;
}
