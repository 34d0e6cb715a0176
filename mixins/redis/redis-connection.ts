import { type Command, Redis, type RedisOptions } from "ioredis";
import { isFull } from "./away.ts";

/** A connection that a network has silently dropped is given up; longer than a worker waits for its next job. */
const socketTimeoutMs = 15_000;
const commandTimeoutMs = 5000;
/** These take 3 s. Unlike one that timed out, a command that is given up so does not reach Redis when it is back. */
const reconnections = 10;
const connectTimeoutMs = 5000;
const longestRetryMs = 1000;

const robust: RedisOptions = {
  socketTimeout: socketTimeoutMs,
  connectTimeout: connectTimeoutMs,
  retryStrategy: times => Math.min(times * 50, longestRetryMs),
};

/** For whoever waits for an answer: a command to a dead Redis rejects within seconds. */
export function askingConnection(url: string, onError: (error: unknown) => void): RedisConnection {
  const options = { ...robust, commandTimeout: commandTimeoutMs, maxRetriesPerRequest: reconnections };
  return new RedisConnection(url, options).on("error", onError);
}

/** For a worker, whose commands wait until Redis is back. */
export function workingConnection(url: string, onError: (error: unknown) => void): RedisConnection {
  return new RedisConnection(url, { ...robust, maxRetriesPerRequest: null }).on("error", onError);
}

/** ioredis 5.11 lets the timer of a socket outlive it, which then holds up the process, or ends the next socket. */
export class RedisConnection extends Redis {
  readonly #duplicates: RedisConnection[] = [];

  constructor(address: string | RedisOptions, options: RedisOptions = {}) {
    if (typeof address === "string") super(address, options);
    else super(address);
    this.on("close", () => {
      clearTimeout(Reflect.get(this, "socketTimeoutTimer"));
      Reflect.set(this, "socketTimeoutTimer", undefined);
    });
  }

  /** Whoever asks is told `overloaded`; an operator must hear that Redis has no room. */
  override sendCommand(command: Command, stream?: Parameters<Redis["sendCommand"]>[1]): unknown {
    command.promise.catch((error: unknown) => {
      if (isFull(error)) for (const tell of this.listeners("error")) tell(error);
    });
    return super.sendCommand(command, stream);
  }

  /** BullMQ makes the connection on which a worker waits for jobs with it. */
  override duplicate(change: RedisOptions = {}): RedisConnection {
    const duplicate = new RedisConnection({ ...this.options, ...change });
    this.#duplicates.push(duplicate);
    return duplicate;
  }

  /** Commands that wait are given up. BullMQ leaves duplicates that never were connected trying for ever. */
  disconnectAll(): void {
    // Of one that has ended it would wait for another end.
    for (const connection of [this, ...this.#duplicates])
      if (connection.status !== "end") connection.disconnect();
  }
}
