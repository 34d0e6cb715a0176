import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { mapRedisErrors } from "../../cluster/redis-errors.ts";
import type { Lease } from "./lease.ts";
import * as scripts from "./lease-scripts.ts";

interface LeaseKeeperOptions {
  redis: Redis;
  namespace: string;
  /** Receives errors of the renewals, which continue. */
  onError: (error: unknown) => void;
  /** Redis drops a lease that is not renewed for this long. */
  ttlMs: number;
}

/** Takes leases in Redis, and renews and releases those of this node. */
export class LeaseKeeper {
  readonly fences: string;
  readonly ttlMs: number;
  readonly #redis: Redis;
  readonly #namespace: string;
  readonly #onError: (error: unknown) => void;
  readonly #held = new Set<RedisLease>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ redis, namespace, onError, ttlMs }: LeaseKeeperOptions) {
    this.#redis = redis;
    this.#namespace = namespace;
    this.#onError = onError;
    this.ttlMs = ttlMs;
    this.fences = `${namespace}:lease-fences`;
  }

  keyOf(name: string): string {
    return `${this.#namespace}:lease:${name}`;
  }

  async take(name: string): Promise<RedisLease | null> {
    const token = randomUUID();
    const askedAt = performance.now();
    const asked = this.#redis.eval(scripts.take, 2, this.keyOf(name), this.fences, token, this.ttlMs);
    const fence = await mapRedisErrors(asked);
    return fence === null ? null : this.keep({ name, token, fence: Number(fence) }, askedAt);
  }

  /** Renews from now on a lease that Redis has granted. */
  keep(of: { name: string; token: string; fence: number }, askedAt: number): RedisLease {
    const lease = new RedisLease(of, askedAt, this.#keptMs, released => this.#release(released));
    this.#held.add(lease);
    // It was asked for when all was closed.
    if (this.#isClosed) void lease.release();
    else this.#timer ??= setInterval(() => this.#tick(), this.ttlMs / 10);
    return lease;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await Promise.all([...this.#held].map(lease => lease.release()));
  }

  /** A holder gives a lease up before Redis drops it, and uses the time in between to end its work. */
  get #keptMs(): number {
    return this.ttlMs * 0.8;
  }

  #tick(): void {
    for (const lease of this.#held) if (!lease.isHeld()) this.#lose(lease);
    const now = performance.now();
    const due = [...this.#held].filter(({ askedAt }) => now - askedAt >= this.ttlMs * 0.3);
    if (due.length > 0) void this.#renew(due, now);
  }

  /** Does not wait for a late answer: the next renewal goes out at its own time. */
  async #renew(leases: RedisLease[], askedAt: number): Promise<void> {
    for (const lease of leases) lease.askedAt = askedAt;
    const keys = leases.map(({ name }) => this.keyOf(name));
    const tokens = leases.map(({ token }) => token);
    try {
      const held = await this.#redis.eval(scripts.renew, keys.length, ...keys, this.ttlMs, ...tokens);
      for (const [n, lease] of leases.entries())
        if ((held as number[])[n] === 1) lease.renewed(askedAt, this.#keptMs);
        else this.#lose(lease);
    } catch (error) {
      this.#onError(error);
    }
  }

  #lose(lease: RedisLease): void {
    this.#held.delete(lease);
    lease.end();
  }

  async #release(lease: RedisLease): Promise<void> {
    this.#lose(lease);
    try {
      await this.#redis.eval(scripts.release, 1, this.keyOf(lease.name), lease.token);
    } catch (error) {
      this.#onError(error);
    }
  }
}

/** A lease as its holder sees it, by the clock of `performance`, which runs on while a process is stopped. */
class RedisLease implements Lease {
  readonly name: string;
  readonly fence: number;
  /** The value of the lease's key in Redis. */
  readonly token: string;
  /** When it was last asked for: the time that Redis granted began then at the earliest. */
  askedAt: number;
  readonly #release: (lease: RedisLease) => Promise<void>;
  readonly #ended = new AbortController();
  #until: number;

  constructor(
    of: { name: string; fence: number; token: string },
    askedAt: number,
    keptMs: number,
    release: (lease: RedisLease) => Promise<void>,
  ) {
    this.name = of.name;
    this.fence = of.fence;
    this.token = of.token;
    this.askedAt = askedAt;
    this.#until = askedAt + keptMs;
    this.#release = release;
  }

  readonly isHeld = (): boolean => !this.signal.aborted && performance.now() < this.#until;

  readonly release = async (): Promise<void> => {
    if (!this.signal.aborted) await this.#release(this);
  };

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** A lease that has counted as lost stays lost, even if Redis still holds it. */
  renewed(askedAt: number, keptMs: number): void {
    if (this.isHeld()) this.#until = askedAt + keptMs;
  }

  end(): void {
    this.#ended.abort();
  }
}
