import { randomUUID } from "node:crypto";
import { Queue as BullQueue } from "bullmq";
import type { Redis } from "ioredis";
import { answered } from "../redis/away.ts";
import { quiet } from "../redis/quiet.ts";
import { type RedisConnection, workingConnection } from "../redis/redis-connection.ts";
import { openSharedRedis } from "../redis/shared-redis.ts";
import { jobOf, type StoredPayload } from "./bullmq-job.ts";
import { BullmqScripts } from "./bullmq-scripts.ts";
import { BullmqWorker } from "./bullmq-worker.ts";
import { checkJob, checkName } from "./check-job.ts";
import type { Job, JobHandler, JobState, NewJob, Queue, Queues, Worker, WorkOptions } from "./queue.ts";

export interface BullmqQueuesOptions {
  /** Of Redis. */
  url: string;
  /** Begins the keys of all queues; no colons. */
  prefix: string;
  /** Hears of what hinders the work. */
  onError: (error: unknown) => void;
}

interface Means {
  url: string;
  asking: RedisConnection;
  prefix: string;
  onError: (error: unknown) => void;
  workers: Set<Worker>;
}

/** The queues of a cluster: BullMQ on Redis, which must keep an append-only file and evict nothing. */
export function openBullmqQueues({ url, prefix, ...options }: BullmqQueuesOptions): Queues {
  const onError = quiet(options.onError);
  const { redis: asking, close: leaveAsking } = openSharedRedis(url, onError);
  const means: Means = { url, asking, prefix, onError, workers: new Set() };
  const opened = new Map<string, BullmqQueue<unknown, unknown>>();
  let closed: Promise<void> | undefined;
  const close = async () => {
    await Promise.all([...means.workers].map(worker => worker.close()));
    await Promise.all([...opened.values()].map(queue => queue.close()));
    leaveAsking();
  };
  return {
    queue: <Payload, Result>(name: string) => {
      checkName(name);
      const queue = opened.get(name) ?? new BullmqQueue<unknown, unknown>(name, means);
      opened.set(name, queue);
      return reached(queue as unknown as BullmqQueue<Payload, Result>);
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** While Redis is away, whoever asks is told `overloaded`. */
function reached<Payload, Result>(queue: Queue<Payload, Result>): Queue<Payload, Result> {
  return {
    add: job => answered(queue.add(job)),
    get: id => answered(queue.get(id)),
    cancel: id => answered(queue.cancel(id)),
    remove: id => answered(queue.remove(id)),
    counts: () => answered(queue.counts()),
    waiting: () => answered(queue.waiting()),
    work: (options, handler) => queue.work(options, handler),
  };
}

type Bull<Payload> = BullQueue<StoredPayload<Payload>, string, string>;

class BullmqQueue<Payload, Result> implements Queue<Payload, Result> {
  readonly #name: string;
  readonly #means: Means;
  #opening: Promise<Bull<Payload>> | undefined;

  constructor(name: string, means: Means) {
    this.#name = name;
    this.#means = means;
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
    // BullMQ leaves a known job as it is, and does not tell.
    return (await bull.getJob(id))?.data.addition === addition;
  }

  async get(id: string): Promise<Job<Payload, Result> | null> {
    const bull = await this.#bull();
    // In this order: a job that is seen to have ended changes no more.
    const state = await this.#state(id);
    const job = state && (await bull.getJob(id));
    return job ? jobOf<Payload, Result>(job, state) : null;
  }

  async cancel(id: string): Promise<"cancelled" | "stopping" | "finished" | "unknown"> {
    return await this.#scripts(this.#means.asking).cancel(id, Date.now());
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
    return await this.#scripts(this.#means.asking).due(Date.now());
  }

  work(options: WorkOptions<Payload, Result>, handler: JobHandler<Payload, Result>): Worker {
    const { url, asking, prefix, onError, workers } = this.#means;
    const redis = workingConnection(url, onError);
    const scripts = { scripts: this.#scripts(asking), patient: this.#scripts(redis) };
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
    return new BullmqScripts(redis, key => `${this.#means.prefix}:${this.#name}:${key}`);
  }

  /** A BullMQ queue whose first connection failed stays broken, so that one is thrown away. */
  #bull(): Promise<Bull<Payload>> {
    this.#opening ??= this.#open().catch(error => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<Bull<Payload>> {
    const { asking, prefix, onError } = this.#means;
    const options = { connection: asking, prefix, skipWaitingForReady: true };
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
