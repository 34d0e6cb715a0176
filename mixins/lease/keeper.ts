import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { answered } from "../redis/away.ts";
import * as scripts from "./lease-scripts.ts";
import { RedisLease } from "./redis-lease.ts";

export interface KeeperOptions {
  redis: Redis;
  namespace: string;
  /** Hears of what hinders the renewals, which go on none the less. */
  onError: (error: unknown) => void;
  /** After this, Redis forgets what is not renewed. */
  ttlMs: number;
}

/** Takes leases in Redis, and renews and releases those of this node. */
export class Keeper {
  readonly fences: string;
  readonly ttlMs: number;
  readonly #redis: Redis;
  readonly #namespace: string;
  readonly #onError: (error: unknown) => void;
  readonly #held = new Set<RedisLease>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ redis, namespace, onError, ttlMs }: KeeperOptions) {
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
    const fence = await answered(asked);
    return fence === null ? null : this.keep({ name, token, fence: Number(fence) }, askedAt);
  }

  /** Renews what Redis has given from now on. */
  keep(of: { name: string; token: string; fence: number }, askedAt: number): RedisLease {
    const lease = new RedisLease(of, askedAt, this.#keptMs, released => this.#release(released));
    this.#held.add(lease);
    // One that was under way when all was closed.
    if (this.#isClosed) void lease.release();
    else this.#timer ??= setInterval(() => this.#tick(), this.ttlMs / 10);
    return lease;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await Promise.all([...this.#held].map(lease => lease.release()));
  }

  /** A holder counts itself out before Redis does: in between it ends what it has begun. */
  get #keptMs(): number {
    return this.ttlMs * 0.8;
  }

  #tick(): void {
    for (const lease of this.#held) if (!lease.isHeld()) this.#lose(lease);
    const now = performance.now();
    const due = [...this.#held].filter(({ askedAt }) => now - askedAt >= this.ttlMs * 0.3);
    if (due.length > 0) void this.#renew(due, now);
  }

  /** An answer that is late is not waited for: the next renewal is sent in its time. */
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
