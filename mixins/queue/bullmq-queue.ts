import { randomUUID } from "node:crypto";
import { Queue as BullQueue } from "bullmq";
import type { Redis } from "ioredis";
import { openSharedRedis, type RedisConnection, workerConnection } from "../cluster/redis.ts";
import { mapRedisErrors, throttleErrors } from "../cluster/redis-errors.ts";
import { BullmqScripts, jobOf, type StoredPayload } from "./bullmq-job.ts";
import { BullmqWorker } from "./bullmq-worker.ts";
import {
  checkJob,
  checkName,
  type Job,
  type JobHandler,
  type JobState,
  type NewJob,
  type Queue,
  type Queues,
  type Worker,
  type WorkOptions,
} from "./queue.ts";

export interface BullmqQueuesOptions {
  /** The address of Redis. */
  url: string;
  /** Prefix of the keys of all queues; no colons. */
  prefix: string;
  /** Receives errors; the work continues. */
  onError: (error: unknown) => void;
}

interface QueueContext {
  url: string;
  sharedRedis: RedisConnection;
  prefix: string;
  onError: (error: unknown) => void;
  workers: Set<Worker>;
}

/** The queues of a cluster: BullMQ on Redis, which must keep an append-only file and evict nothing. */
export function openBullmqQueues({ url, prefix, ...options }: BullmqQueuesOptions): Queues {
  const onError = throttleErrors(options.onError);
  const { redis: sharedRedis, close: leaveAsking } = openSharedRedis(url, onError);
  const context: QueueContext = { url, sharedRedis, prefix, onError, workers: new Set() };
  const opened = new Map<string, BullmqQueue<unknown, unknown>>();
  let closed: Promise<void> | undefined;
  const close = async () => {
    await Promise.all([...context.workers].map(worker => worker.close()));
    await Promise.all([...opened.values()].map(queue => queue.close()));
    leaveAsking();
  };
  return {
    queue: <Payload, Result>(name: string) => {
      checkName(name);
      const queue = opened.get(name) ?? new BullmqQueue<unknown, unknown>(name, context);
      opened.set(name, queue);
      return answeredQueue(queue as unknown as BullmqQueue<Payload, Result>);
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** Makes a queue whose calls reject with `overloaded` while Redis is unavailable. */
function answeredQueue<Payload, Result>(queue: Queue<Payload, Result>): Queue<Payload, Result> {
  return {
    add: job => mapRedisErrors(queue.add(job)),
    get: id => mapRedisErrors(queue.get(id)),
    cancel: id => mapRedisErrors(queue.cancel(id)),
    remove: id => mapRedisErrors(queue.remove(id)),
    counts: () => mapRedisErrors(queue.counts()),
    waiting: () => mapRedisErrors(queue.waiting()),
    work: (options, handler) => queue.work(options, handler),
  };
}

type Bull<Payload> = BullQueue<StoredPayload<Payload>, string, string>;

class BullmqQueue<Payload, Result> implements Queue<Payload, Result> {
  readonly #name: string;
  readonly #context: QueueContext;
  #opening: Promise<Bull<Payload>> | undefined;

  constructor(name: string, context: QueueContext) {
    this.#name = name;
    this.#context = context;
  }

  async add({
    id,
    payload,
    delayMs = 0,
    priority = 0,
    attempts = 1,
    backoffMs = [],
  }: NewJob<Payload>): Promise<boolean> {
    checkJob({ id, payload, delayMs, priority, attempts, backoffMs });
    const bull = await this.#bull();
    const addition = randomUUID();
    const options = {
      jobId: id,
      delay: delayMs,
      priority,
      attempts,
      backoff: { type: "listed" },
      stackTraceLimit: 0,
    };
    await bull.add(this.#name, { payload, backoffMs, addition }, options);
    // BullMQ leaves a known job as it is, without an error.
    return (await bull.getJob(id))?.data.addition === addition;
  }

  async get(id: string): Promise<Job<Payload, Result> | null> {
    const bull = await this.#bull();
    // In this order: a job whose state is final does not change any more.
    const state = await this.#state(id);
    const job = state && (await bull.getJob(id));
    return job ? jobOf<Payload, Result>(job, state) : null;
  }

  async cancel(id: string): Promise<"cancelled" | "stopping" | "finished" | "unknown"> {
    return await this.#scripts(this.#context.sharedRedis).cancel(id, Date.now());
  }

  async remove(id: string): Promise<boolean> {
    const bull = await this.#bull();
    if ((await this.#state(id)) === "active") return false;
    return (await bull.remove(id)) === 1;
  }

  async counts(): Promise<Record<JobState, number>> {
    const bull = await this.#bull();
    const {
      wait = 0,
      prioritized = 0,
      delayed = 0,
      ...ended
    } = await bull.getJobCounts(
      ...(["wait", "prioritized", "delayed", "active", "completed", "failed"] as const),
    );
    const { active = 0, completed = 0, failed = 0 } = ended;
    return { waiting: wait + prioritized + delayed, active, completed, failed };
  }

  async waiting(): Promise<number> {
    return await this.#scripts(this.#context.sharedRedis).due(Date.now());
  }

  work(options: WorkOptions<Payload, Result>, handler: JobHandler<Payload, Result>): Worker {
    const { url, sharedRedis, prefix, onError, workers } = this.#context;
    const redis = workerConnection(url, onError);
    const scripts = { scripts: this.#scripts(sharedRedis), workerScripts: this.#scripts(redis) };
    const worker = new BullmqWorker(
      { queue: this.#name, prefix, redis, ...scripts },
      { options, handler, onError },
    );
    workers.add(worker);
    return worker;
  }

  async close(): Promise<void> {
    const bull = await this.#opening?.catch(() => undefined);
    await bull?.close();
  }

  async #state(id: string): Promise<JobState | null> {
    const state = await (await this.#bull()).getJobState(id);
    if (state === "active" || state === "completed" || state === "failed") return state;
    return state === "unknown" ? null : "waiting";
  }

  #scripts(redis: Redis): BullmqScripts {
    return new BullmqScripts(redis, key => `${this.#context.prefix}:${this.#name}:${key}`);
  }

  /** A BullMQ queue whose first connection failed stays broken, so the next call opens another one. */
  #bull(): Promise<Bull<Payload>> {
    this.#opening ??= this.#open().catch(error => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<Bull<Payload>> {
    const { sharedRedis, prefix, onError } = this.#context;
    const options = { connection: sharedRedis, prefix, skipWaitingForReady: true };
    const bull: Bull<Payload> = new BullQueue(this.#name, options);
    bull.on("error", onError);
    try {
      await bull.waitUntilReady();
      return bull;
    } catch (error) {
      await bull.close();
      throw error;
    }
  }
}
