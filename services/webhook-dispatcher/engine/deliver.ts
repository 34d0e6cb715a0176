import type { KeyObject } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { monotonicFactory } from "ulid";
import type { Dispatcher as Agent } from "undici";
import { jitter, type Schedule } from "../../domain/delivery/backoff.ts";
import type { Attempt, Lane } from "../../domain/delivery/lane.ts";
import { retryAfterMs } from "../../domain/delivery/retry-after.ts";
import { isSettled, type Outcome, type Settlement, settle } from "../../domain/delivery/settle.ts";
import { sign } from "../../domain/delivery/signature.ts";
import { failedAs, type StoredDelivery } from "../room.ts";
import type { Journal } from "./journal.ts";
import type { Parcel } from "./running.ts";
import { type Answer, send } from "./send.ts";
import type { Tenure } from "./tenure.ts";
import { groupMs } from "./write-groups.ts";

export interface Delivering {
  agent: Agent;
  journal: Journal;
  schedule: Schedule;
  /** `revision` is the endpoint's. */
  target: { keyId: string; url: URL; revision: number; signingKeys: KeyObject[] };
  tenure: Tenure;
  attempt: Attempt;
  parcel: Parcel;
  /** What the last try to write it came to; whether the store has that is not known while there is another. */
  tried?: Settlement;
  /** False once the endpoint is gone, or the lane is another's to work. */
  stillThere(): boolean;
  /** The receiver has answered; what came of it is not written yet. */
  onAnswer(ok: boolean): void;
  /** What came of it cannot be written for seconds already. */
  onTrouble(keyIds: string[], error: unknown): void;
  /** The end of the process is near. */
  signal: AbortSignal;
  /** Between the tries to write it; the last one is repeated. */
  pausesMs?: readonly number[];
}

/** What became of an attempt. */
export interface Delivered {
  /** For the log. */
  line: Omit<StoredDelivery, "answer">;
  /** This attempt made the endpoint FAILED. */
  failedNow: boolean;
}

const retryMs = [200, 400, 800, 1_600, 3_200];

/** Unique will do for an attempt's identity; bytes that nobody can guess cost a hundredth of a delivery. */
const newId = monotonicFactory(Math.random);

/** Sends one event once and settles it; resolves when that is on disk, with null when it has no consequence any more. */
export async function deliver(delivering: Delivering): Promise<Delivered | null> {
  const { agent, target, tenure, parcel } = delivering;
  const started = Date.now();
  const answer = await send(agent, requestOf(target, parcel, started), tenure);
  delivering.onAnswer(answer.error === null);
  const ended = Date.now();
  return write(delivering, answer, started, ended).catch(() =>
    writeAgain(delivering, answer, started, ended),
  );
}

function requestOf({ url, signingKeys }: Delivering["target"], { id, body }: Parcel, now: number) {
  const timestamp = Math.floor(now / 1000);
  // Encoded once, for the signature and for the wire.
  const bytes = Buffer.from(body);
  const headers = {
    "content-type": "application/json",
    "user-agent": "Magpie/0.1",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": sign(signingKeys, id, timestamp, bytes),
  };
  return { url, headers, body: bytes };
}

/**
 * Until the outcome is on disk the attempt stays under way: a full disk makes no duplicates. An end waits for the first
 * tries only.
 */
async function writeAgain(
  delivering: Delivering,
  answer: Answer,
  started: number,
  ended: number,
): Promise<Delivered | null> {
  const { pausesMs = retryMs, signal, target, tenure, stillThere, onTrouble } = delivering;
  for (let tries = 1; stillThere(); tries += 1) {
    await wait(pausesMs[tries - 1] ?? pausesMs.at(-1));
    try {
      return await write(delivering, answer, started, ended);
    } catch (error) {
      const isEnding = signal.aborted || !tenure.isOpen;
      if (isEnding && tries >= pausesMs.length) throw error;
      if (tries === pausesMs.length) onTrouble([target.keyId], error);
    }
  }
  return null;
}

function write(
  delivering: Delivering,
  answer: Answer,
  started: number,
  ended: number,
): Promise<Delivered | null> {
  const { journal, schedule, tenure, parcel, stillThere } = delivering;
  const { keyId } = delivering.target;
  const { status, error, text } = answer;
  return journal.settle(
    keyId,
    batch => {
      const before = batch.lane(keyId);
      if (!before || !stillThere()) return null;
      const { lane, verdict, attempts } = settleBy(delivering, before, answer, ended);
      batch.setLane(keyId, lane);
      const line = {
        _id: newId(ended),
        keyId,
        event_id: parcel.id,
        type: parcel.type,
        attempt: attempts,
        outcome: verdict,
        http_status: status,
        error,
        duration_ms: ended - started,
        at: new Date(started).toISOString(),
      };
      batch.record({ ...line, ...failedAs(verdict), answer: text });
      return { line, failedNow: lane.status !== before.status };
    },
    tenure.isOpen ? (error === null ? patienceAfter(ended - started) : patienceBefore(schedule)) : 0,
  );
}

/** The store may have it from an earlier try already, when the answer to that was lost on its way. */
function settleBy(delivering: Delivering, lane: Lane, answer: Answer, now: number): Settlement {
  const { attempt, schedule, target, tried } = delivering;
  if (tried && isSettled(lane, attempt, tried.attempts)) return { ...tried, lane };
  const isFormer = answer.error !== null && lane.revision !== target.revision;
  const outcome = isFormer ? ofFormerEndpoint : outcomeOf(answer, now);
  delivering.tried = settle(lane, attempt, outcome, now, { schedule, spread: jitter(Math.random) });
  return delivering.tried;
}

function outcomeOf({ status, error, retryAfter }: Answer, now: number): Outcome {
  return { ok: error === null, status, retryAfterMs: retryAfterMs(retryAfter, now) };
}

/**
 * It may say that it is gone, or wants to be left alone: whatever its owner has changed since, the endpoint as it is now
 * has to tell for itself.
 */
const ofFormerEndpoint: Outcome = { ok: false, status: null, retryAfterMs: 0 };

/** The endpoint that took its time has no use for haste, and a thousand of them share few waits for the disk. */
function patienceAfter(durationMs: number): number {
  return Math.max(groupMs, durationMs / 10);
}

/** After a failure there is a pause anyway. One that is lost with the process is an attempt that is made again. */
function patienceBefore(schedule: Schedule): number {
  return Math.min(Math.min(...schedule) / 5, 1_000);
}
