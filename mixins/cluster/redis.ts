import { type Command, Redis, type RedisOptions } from "ioredis";
import type { ClusterConfig } from "../config/config.ts";
import { isOutOfSpace, throttleErrors } from "./redis-errors.ts";
import { ioredisAddress } from "./redis-sentinels.ts";

/** A connection that a network has silently dropped is closed; longer than a worker waits for its next job. */
export const socketTimeoutMs = 15_000;
export const connectTimeoutMs = 5000;
export const commandTimeoutMs = 5000;

/** Milliseconds before a connection's first, second, … attempt to reconnect. */
export function reconnectDelayMs(attempt: number): number {
  return Math.min(attempt * 50, 1000);
}

/** These take 3 s. A command that fails so, unlike one that timed out, does not reach Redis when it is back. */
const maxReconnects = 10;

const reconnecting: RedisOptions = {
  socketTimeout: socketTimeoutMs,
  connectTimeout: connectTimeoutMs,
  retryStrategy: reconnectDelayMs,
  // A primary that has become a replica: the address, or the sentinels, may name the new one by now.
  reconnectOnError: error => error.message.startsWith("READONLY "),
};

/** For callers that wait for a reply: a command to a dead Redis rejects within seconds. */
export function commandConnection(url: string, onError: (error: unknown) => void): RedisConnection {
  const options = { ...reconnecting, commandTimeout: commandTimeoutMs, maxRetriesPerRequest: maxReconnects };
  return new RedisConnection(url, options).on("error", onError);
}

/** For a worker: its commands wait until Redis is back. */
export function workerConnection(url: string, onError: (error: unknown) => void): RedisConnection {
  return new RedisConnection(url, { ...reconnecting, maxRetriesPerRequest: null }).on("error", onError);
}

/** ioredis 5.11 does not clear the timer of a closed socket, which then keeps the process alive or closes the next socket. */
export class RedisConnection extends Redis {
  readonly #duplicates: RedisConnection[] = [];

  constructor(address: string | RedisOptions, options: RedisOptions = {}) {
    if (typeof address === "string") {
      const known = ioredisAddress(address);
      if ("url" in known) super(known.url, options);
      else super({ ...known.options, ...options });
    } else super(address);
    this.on("close", () => {
      clearTimeout(Reflect.get(this, "socketTimeoutTimer"));
      Reflect.set(this, "socketTimeoutTimer", undefined);
    });
  }

  /** The caller gets `overloaded`; the error that Redis has no space goes to the log as well. */
  override sendCommand(command: Command, stream?: Parameters<Redis["sendCommand"]>[1]): unknown {
    command.promise.catch((error: unknown) => {
      if (isOutOfSpace(error)) for (const onError of this.listeners("error")) onError(error);
    });
    return super.sendCommand(command, stream);
  }

  /** BullMQ opens with it the connection on which a worker waits for jobs. */
  override duplicate(change: RedisOptions = {}): RedisConnection {
    const duplicate = new RedisConnection({ ...this.options, ...change });
    this.#duplicates.push(duplicate);
    return duplicate;
  }

  /** Gives up commands that wait. BullMQ leaves duplicates that were never connected reconnecting for ever. */
  disconnectAll(): void {
    // On a connection that has ended, `disconnect` would wait for another end.
    for (const connection of [this, ...this.#duplicates])
      if (connection.status !== "end") connection.disconnect();
  }
}

export interface SharedRedis {
  redis: RedisConnection;
  /** The caller's `onError`, throttled. */
  onError(error: unknown): void;
  /** Leaves the connection; the last one to leave closes it. */
  close(): void;
}

/** BullMQ adds to it and subtracts from it, so it cannot be 0, which means unlimited. */
const maxListeners = 1000;

interface Entry {
  redis: RedisConnection;
  /** A listener of each opening. */
  listeners: Set<(error: unknown) => void>;
}

const entries = new Map<string, Entry>();

/** The connection of this process for commands, shared by all that open it. */
export function openSharedRedis(url: string, onError: (error: unknown) => void): SharedRedis {
  const entry = entries.get(url) ?? openEntry(url);
  const { redis, listeners } = entry;
  const report = throttleErrors(onError);
  listeners.add(report);
  entries.set(url, entry);
  let isOpen = true;
  return {
    redis,
    onError: report,
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      listeners.delete(report);
      if (listeners.size > 0) return;
      entries.delete(url);
      redis.disconnectAll();
    },
  };
}

function openEntry(url: string): Entry {
  const listeners: Entry["listeners"] = new Set();
  const redis = commandConnection(url, error => {
    for (const report of listeners) report(error);
  });
  return { redis: redis.setMaxListeners(maxListeners), listeners };
}

interface DriverOptions {
  redis: RedisConnection;
  /** Begins all keys. */
  namespace: string;
  onError: (error: unknown) => void;
}

/** Opens a driver on the shared connection; closing the driver leaves the connection. */
export function withSharedRedis<Driver extends { close(): Promise<void> }>(
  { redisUrl, namespace }: ClusterConfig,
  onError: (error: unknown) => void,
  open: (options: DriverOptions) => Driver,
): Driver {
  const { close, ...shared } = openSharedRedis(redisUrl, onError);
  const driver = open({ ...shared, namespace });
  return {
    ...driver,
    close: async () => {
      await driver.close();
      close();
    },
  };
}
