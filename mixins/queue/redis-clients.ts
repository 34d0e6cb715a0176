import { Redis, type RedisOptions } from "ioredis";

/** A connection that a network has silently dropped is given up; longer than a worker waits for its next job. */
const socketTimeoutMs = 15_000;
const commandTimeoutMs = 5000;
/** These take 3 s. Unlike one that timed out, a command that is given up so does not reach Redis when it is back. */
const reconnections = 10;
const connectTimeoutMs = 5000;
const longestRetryMs = 1000;

/** The connections of the queues of one process. */
export interface RedisClients {
  /** For whoever waits for an answer: a command to a dead Redis rejects within seconds. */
  asking: Redis;
  /** For workers, whose commands wait until Redis is back. */
  working(): Redis;
  disconnect(): void;
}

export function redisClients(url: string, onError: (error: unknown) => void): RedisClients {
  const open = (change: RedisOptions) => new Connection(url, { ...robust, ...change }).on("error", onError);
  const asking = open({ commandTimeout: commandTimeoutMs, maxRetriesPerRequest: reconnections });
  let working: Redis | undefined;
  return {
    asking,
    working: () => {
      working ??= open({ maxRetriesPerRequest: null });
      return working;
    },
    disconnect: () => {
      asking.disconnect();
      working?.disconnect();
    },
  };
}

const robust: RedisOptions = {
  socketTimeout: socketTimeoutMs,
  connectTimeout: connectTimeoutMs,
  retryStrategy: times => Math.min(times * 50, longestRetryMs),
};

/** ioredis 5.11 lets the timer of a socket outlive it, which then holds up the process, or ends the next socket. */
class Connection extends Redis {
  constructor(address: string | RedisOptions, options: RedisOptions = {}) {
    if (typeof address === "string") super(address, options);
    else super(address);
    this.on("close", () => {
      clearTimeout(Reflect.get(this, "socketTimeoutTimer"));
      Reflect.set(this, "socketTimeoutTimer", undefined);
    });
  }

  /** BullMQ makes the connection on which a worker waits for jobs with it. */
  override duplicate(change: RedisOptions = {}): Redis {
    return new Connection({ ...this.options, ...change });
  }
}
