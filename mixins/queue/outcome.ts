import { codeOf } from "../../services/contracts/errors.ts";
import {
  FinalFailure,
  type Job,
  type JobFailure,
  type JobHandler,
  type JobTools,
  type Stop,
  type WorkOptions,
} from "./queue.ts";

/** A start of a job. */
export interface Start<Payload, Result> {
  job: Job<Payload, Result>;
  /** Workers that ended while they ran it, since it last came on. */
  deaths: number;
  /** Runs that failed before this one. */
  failures: number;
  attempts: number;
  backoffMs: number[];
}

/**
 * What becomes of a job after a run: its result as JSON, its failure, or another run after some time, which counts as
 * one more attempt or not at all.
 */
export type Outcome =
  | { result: string }
  | { failure: JobFailure }
  | { againAfterMs: number; isFailure: boolean };

export const cancelled: JobFailure = { code: "cancelled", message: "The job was cancelled." };

/** Worker deaths after which a job is not taken for their cause. */
const deathsForgiven = 1;
const stalledAgainMs = 1000;

/** What a worker does with its jobs. */
export interface Work<Payload, Result> {
  options: WorkOptions<Payload, Result>;
  handler: JobHandler<Payload, Result>;
  /** Hears of what hinders the work, and goes on none the less. */
  onError: (error: unknown) => void;
}

/** Runs the handler, or tells of a job that has ended its workers too often. Never rejects. */
export async function outcomeOf<Payload, Result>(
  start: Start<Payload, Result>,
  work: Work<Payload, Result>,
  tools: JobTools,
): Promise<Outcome> {
  if (start.deaths > deathsForgiven) return await stalled(start.job, work, tools);
  try {
    return { result: JSON.stringify((await work.handler(start.job, tools)) ?? null) };
  } catch (error) {
    return (tools.signal.reason as Stop | undefined)?.code === "closing"
      ? { againAfterMs: 0, isFailure: false }
      : afterFailure(start, error);
  }
}

/** Whoever keeps the records of the job writes them before the job ends. */
async function stalled<Payload, Result>(
  job: Job<Payload, Result>,
  { options, onError }: Work<Payload, Result>,
  tools: JobTools,
): Promise<Outcome> {
  try {
    await options.onStalled?.(job, tools);
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
