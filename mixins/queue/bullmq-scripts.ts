import type { Redis } from "ioredis";
import type { Told } from "./bullmq-job.ts";
import { cancelled } from "./outcome.ts";

/** BullMQ keeps a delayed job under its time in milliseconds times this, plus a number among those of one time. */
const delayedScore = 0x1000;

/** What BullMQ has no command for, as scripts over its keys. */
export class BullmqScripts {
  readonly #redis: Redis;
  readonly #key: (name: string) => string;

  /** `key` makes BullMQ's name of a key of this queue. */
  constructor(redis: Redis, key: (name: string) => string) {
    this.#redis = redis;
    this.#key = key;
  }

  /** Fails a waiting job at once; marks one at work, whose worker looks at the mark. */
  async cancel(id: string, now: number): Promise<"cancelled" | "stopping" | "finished" | "unknown"> {
    const keys = [id, "completed", "failed", "wait", "prioritized", "delayed"].map(this.#key);
    const answer = await this.#redis.eval(cancel, keys.length, ...keys, id, now, JSON.stringify(cancelled));
    return answer as "cancelled" | "stopping" | "finished" | "unknown";
  }

  async isCancelled(id: string): Promise<boolean> {
    return (await this.#redis.hget(this.#key(id), "cancelled")) !== null;
  }

  /** False when the lock is not held with this token. */
  async progress(id: string, token: string, value: unknown): Promise<boolean> {
    const keys = [this.#key(id), this.#lock(id)];
    const told: Told = { told: value ?? null };
    return (await this.#redis.eval(progress, keys.length, ...keys, token, JSON.stringify(told))) === 1;
  }

  /** Whether each job was cancelled, and whether its lock is still held with the token; in the order of the jobs. */
  async look(jobs: { id: string; token: string }[]): Promise<{ isLost: boolean; isCancelled: boolean }[]> {
    const pipeline = this.#redis.pipeline();
    for (const { id } of jobs) pipeline.get(this.#lock(id)).hget(this.#key(id), "cancelled");
    const answers = (await pipeline.exec()) ?? [];
    for (const [error] of answers) if (error) throw error;
    return jobs.map(({ token }, n) => ({
      isLost: answers[2 * n]?.[1] !== token,
      isCancelled: answers[2 * n + 1]?.[1] !== null,
    }));
  }

  /** Jobs that wait and may start; BullMQ itself has no count of the delayed ones whose time has come. */
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
  return 1`;
