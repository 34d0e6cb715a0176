import type { Job as BullJob } from "bullmq";
import type { Job, JobState } from "./queue.ts";

/** What BullMQ keeps as the data of a job. */
export interface StoredPayload<Payload> {
  payload: Payload;
  backoffMs: number[];
  /** Tells which of several concurrent additions it was. */
  addition: string;
}

/** What BullMQ keeps as the progress of a job, which is 0 before any is told. */
export interface Told {
  told: unknown;
}

/** The job as the port shows it. */
export function jobOf<Payload, Result>(
  bull: BullJob<StoredPayload<Payload>, string>,
  state: JobState,
): Job<Payload, Result> {
  return {
    id: String(bull.id),
    payload: bull.data.payload,
    state,
    progress: bull.progress === 0 ? null : (bull.progress as Told).told,
    result: state === "completed" ? JSON.parse(bull.returnvalue) : null,
    failure: state === "failed" ? JSON.parse(bull.failedReason) : null,
    starts: bull.attemptsStarted,
  };
}
