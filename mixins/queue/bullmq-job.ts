import type { Job as BullJob } from "bullmq";
import type { Redis } from "ioredis";
import type { Job, JobState } from "./queue.ts";
import { cancelledFailure } from "./run-job.ts";

/** What BullMQ keeps as the data of a job. */
export interface StoredPayload<Payload> {
  payload: Payload;
  backoffMs: number[];
  /** Identifies one of several concurrent additions. */
  addition: string;
}

/** What BullMQ stores as the progress of a job; it is 0 before the first report. */
interface StoredProgress {
  value: unknown;
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
    progress: bull.progress === 0 ? null : (bull.progress as StoredProgress).value,
    result: state === "completed" ? JSON.parse(bull.returnvalue) : null,
    failure: state === "failed" ? JSON.parse(bull.failedReason) : null,
    starts: bull.attemptsStarted,
  };
}

/** BullMQ's score of a delayed job is its time in milliseconds times this, plus a number among the jobs of that time. */
const delayedScore = 0x1000;

/** Scripts over BullMQ's keys, for what BullMQ has no command. */
export class BullmqScripts {
  readonly #redis: Redis;
  readonly #key: (name: string) => string;

  /** `key` makes BullMQ's name of a key of this queue. */
  constructor(redis: Redis, key: (name: string) => string) {
    this.#redis = redis;
    this.#key = key;
  }

  /** Fails a waiting job at once; marks a running one, whose worker checks the mark. */
  async cancel(id: string, now: number): Promise<"cancelled" | "stopping" | "finished" | "unknown"> {
    const keys = [id, "completed", "failed", "wait", "prioritized", "delayed"].map(this.#key);
    const answer = await this.#redis.eval(
      cancel,
      keys.length,
      ...keys,
      id,
      now,
      JSON.stringify(cancelledFailure),
    );
    return answer as "cancelled" | "stopping" | "finished" | "unknown";
  }

  async isCancelled(id: string): Promise<boolean> {
    return (await this.#redis.hget(this.#key(id), "cancelled")) !== null;
  }

  /** Whether the job caused a death of its worker: an error named it, or it was the suspect that ran. */
  async isBlamed(id: string): Promise<boolean> {
    const [lone, blames] = await this.#redis.hmget(this.#key(id), "lone", "blames");
    return lone !== null || Number(blames) > 0;
  }

  /** Marks the suspect that runs; the mark survives its worker. */
  async runAlone(id: string): Promise<void> {
    await this.#redis.hset(this.#key(id), "lone", 1);
  }

  async endAlone(id: string): Promise<void> {
    await this.#redis.hdel(this.#key(id), "lone");
  }

  async forgive(id: string): Promise<void> {
    await this.#redis.pipeline().hset(this.#key(id), "stc", 0).hdel(this.#key(id), "lone", "blames").exec();
  }

  /**
   * Counts a death of its worker against a job, when the worker can still record it. A suspect that runs is the cause,
   * whether the error named it or not.
   */
  async blame(id: string, isNamed: boolean): Promise<void> {
    const isCause = isNamed || (await this.#redis.hexists(this.#key(id), "lone")) === 1;
    await this.#redis
      .pipeline()
      .hincrby(this.#key(id), "stc", 1)
      .hincrby(this.#key(id), "blames", isCause ? 1 : 0)
      .exec();
  }

  /** False when this token does not hold the lock. */
  async progress(id: string, token: string, value: unknown): Promise<boolean> {
    const keys = [this.#key(id), this.#lock(id)];
    const stored: StoredProgress = { value: value ?? null };
    return (await this.#redis.eval(progress, keys.length, ...keys, token, JSON.stringify(stored))) === 1;
  }

  /** For each job, in order: whether it was cancelled, and whether its token no longer holds the lock. */
  async check(jobs: { id: string; token: string }[]): Promise<{ isLost: boolean; isCancelled: boolean }[]> {
    const pipeline = this.#redis.pipeline();
    for (const { id } of jobs) pipeline.get(this.#lock(id)).hget(this.#key(id), "cancelled");
    const answers = (await pipeline.exec()) ?? [];
    for (const [error] of answers) if (error) throw error;
    return jobs.map(({ token }, n) => ({
      isLost: answers[2 * n]?.[1] !== token,
      isCancelled: answers[2 * n + 1]?.[1] !== null,
    }));
  }

  /** Waiting jobs that may start; BullMQ itself does not count the delayed jobs that are due. */
  async due(now: number): Promise<number> {
    const [wait = "", prioritized = "", delayed = ""] = ["wait", "prioritized", "delayed"].map(this.#key);
    const counted = [
      this.#redis.llen(wait),
      this.#redis.zcard(prioritized),
      this.#redis.zcount(delayed, "-inf", (now + 1) * delayedScore - 1),
    ];
    return (await Promise.all(counted)).reduce((sum, count) => sum + count);
  }

  #lock(id: string): string {
    return `${this.#key(id)}:lock`;
  }
}

const cancel = `
  local job, completed, failed, wait, prioritized, delayed = unpack(KEYS)
  local id, now, failure = unpack(ARGV)
  if redis.call("EXISTS", job) == 0 then return "unknown" end
  if redis.call("ZSCORE", completed, id) or redis.call("ZSCORE", failed, id) then return "finished" end
  local waited = redis.call("ZREM", prioritized, id) + redis.call("ZREM", delayed, id)
  if waited + redis.call("LREM", wait, 1, id) == 0 then
    redis.call("HSET", job, "cancelled", 1)
    return "stopping"
  end
  redis.call("HSET", job, "failedReason", failure, "finishedOn", now)
  redis.call("ZADD", failed, now, id)
  return "cancelled"`;

const progress = `
  local job, lock = unpack(KEYS)
  local token, value = unpack(ARGV)
  if redis.call("GET", lock) ~= token then return 0 end
  redis.call("HSET", job, "progress", value, "stc", 0)
  redis.call("HDEL", job, "lone", "blames")
  return 1`;
