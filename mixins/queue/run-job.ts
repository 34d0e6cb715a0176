import { codeOf } from "../../services/contracts/errors.ts";
import { underSuspicion } from "../runtime/crash-suspects.ts";
import {
  FinalFailure,
  type Job,
  type JobFailure,
  type JobHandler,
  type JobTools,
  Later,
  type Stop,
  type WorkOptions,
} from "./queue.ts";

/** How long jobs may still run when their worker closes. */
export const graceMsByDefault = 3000;
/** How long their handlers may take once they were aborted. */
export const afterAbortMs = 1000;

/** A start of a job. */
export interface Start<Payload, Result> {
  job: Job<Payload, Result>;
  /** Workers that ended while they ran it, since its last progress. */
  deaths: number;
  /** It caused one of these deaths: an error named it, or it was the only suspect that ran. */
  isBlamed: boolean;
  /** Runs that failed before this one. */
  failures: number;
  attempts: number;
  backoffMs: number[];
}

/**
 * What becomes of a job after a run: its result as JSON, its failure, or another run after some time. `isFailure`: the run
 * counts as an attempt.
 */
export type Outcome =
  | { result: string }
  | { failure: JobFailure }
  | { againAfterMs: number; isFailure: boolean; isForgiven?: true };

export const cancelledFailure: JobFailure = { code: "cancelled", message: "The job was cancelled." };

/** Worker deaths that make a job a suspect. Suspects run one at a time, so the next death shows its cause. */
export const deathsOfSuspect = 2;
const stalledAgainMs = 1000;

/** What a worker does with its jobs. */
export interface Work<Payload, Result> {
  options: WorkOptions<Payload, Result>;
  handler: JobHandler<Payload, Result>;
  /** Receives errors; the work continues. */
  onError: (error: unknown) => void;
}

/**
 * Runs the handler, or fails a job that has ended its workers too often. Never rejects. `blame` records that an unhandled
 * error has ended the worker.
 */
export async function runJob<Payload, Result>(
  start: Start<Payload, Result>,
  work: Work<Payload, Result>,
  tools: JobTools,
  blame: (isNamed: boolean) => Promise<void>,
): Promise<Outcome> {
  if (start.deaths >= deathsOfSuspect && start.isBlamed) return await failStalled(start.job, work, tools);
  try {
    const result = await underSuspicion({ blame }, () => work.handler(start.job, tools));
    return { result: JSON.stringify(result ?? null) };
  } catch (error) {
    if (error instanceof Later) return { againAfterMs: error.afterMs, isFailure: false };
    return (tools.signal.reason as Stop | undefined)?.code === "closing"
      ? { againAfterMs: 0, isFailure: false }
      : afterFailure(start, error);
  }
}

/** Lets the service update its own records of the job before the job ends. */
async function failStalled<Payload, Result>(
  job: Job<Payload, Result>,
  { options, onError }: Work<Payload, Result>,
  tools: JobTools,
): Promise<Outcome> {
  try {
    if ((await options.onStalled?.(job, tools)) === "again")
      return { againAfterMs: 0, isFailure: false, isForgiven: true };
    return { failure: { code: "stalled", message: "The job ended its worker again and again." } };
  } catch (error) {
    onError(error);
    return { againAfterMs: stalledAgainMs, isFailure: false };
  }
}

function afterFailure(
  { failures, attempts, backoffMs }: Omit<Start<unknown, unknown>, "job">,
  error: unknown,
): Outcome {
  const isFinal = error instanceof FinalFailure || failures + 1 >= attempts;
  if (isFinal) return { failure: failureOf(error) };
  return { againAfterMs: backoffMs[Math.min(failures, backoffMs.length - 1)] ?? 0, isFailure: true };
}

function failureOf(error: unknown): JobFailure {
  const message = error instanceof Error ? error.message : String(error);
  return { code: error instanceof FinalFailure ? error.code : (codeOf(error) ?? "internal_error"), message };
}
