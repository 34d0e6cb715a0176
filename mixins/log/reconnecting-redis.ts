import { setTimeout as pause } from "node:timers/promises";
import {
  AbortError,
  ClientClosedError,
  ClientOfflineError,
  ConnectionTimeoutError,
  createClient,
  DisconnectsClientError,
  ErrorReply,
  type RedisClientType,
  SocketClosedUnexpectedlyError,
  SocketTimeoutError,
  TimeoutError,
} from "redis";
import { fail } from "../../services/contracts/errors.ts";

const deadlineMs = 5000;
/** Without an answer for as long, a connection is given up. */
const silenceMs = 3000;
/** Likewise one on which nothing is asked, or which is being made. */
const socketTimeoutMs = 15_000;
const longestRetryMs = 1000;
const pauseMs = 100;

export interface RedisOptions {
  url: string;
  /** Hears of what hinders the connection. */
  onError(error: unknown): void;
}

/**
 * A connection to Redis that comes back by itself. Whatever is asked of it must be repeatable: it is asked again while
 * the server is away, and rejects with the code `overloaded` when that takes some seconds.
 */
export class ReconnectingRedis {
  readonly #options: RedisOptions;
  #client: RedisClientType;
  #isClosed = false;

  private constructor(options: RedisOptions, client: RedisClientType) {
    this.#options = options;
    this.#client = client;
  }

  /** Rejects with a sentence that names REDIS_URL, without the URL, which may hold a password. */
  static async open(options: RedisOptions): Promise<ReconnectingRedis> {
    const client = newClient(options, "once");
    try {
      await inTime(client.connect(), deadlineMs);
    } catch (cause) {
      if (client.isOpen) client.destroy();
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`REDIS_URL: the server cannot be used (${reason}).`, { cause });
    }
    return new ReconnectingRedis(options, client);
  }

  async ask<Answer>(question: (client: RedisClientType) => Promise<Answer>): Promise<Answer> {
    const end = performance.now() + deadlineMs;
    for (;;) {
      const client = this.#client;
      try {
        return await inTime(question(client), end - performance.now());
      } catch (error) {
        if (!isOutOfReach(error)) throw error;
        if (error instanceof NoAnswer && error.waitedMs >= silenceMs) this.#replace(client, error);
        if (this.#isClosed || performance.now() + pauseMs > end) throw overloaded(error);
        await pause(pauseMs);
      }
    }
  }

  /** What waits for an answer is given up. */
  close(): void {
    this.#isClosed = true;
    if (this.#client.isOpen) this.#client.destroy();
  }

  /** The client gives up a connection without answers only when nothing is written to it either. */
  #replace(silent: RedisClientType, reason: NoAnswer): void {
    if (this.#client !== silent || this.#isClosed || !silent.isReady) return;
    this.#options.onError(reason);
    silent.destroy();
    this.#client = newClient(this.#options, "for ever");
    this.#client.connect().catch(error => {
      if (!this.#isClosed) this.#options.onError(error);
    });
  }
}

class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  readonly waitedMs: number;

  constructor(waitedMs: number) {
    super("Redis does not answer in time");
    this.waitedMs = waitedMs;
  }
}

function newClient({ url, onError }: RedisOptions, connecting: "once" | "for ever"): RedisClientType {
  let isTriedAgain = connecting === "for ever";
  const client: RedisClientType = createClient({
    url,
    // Those that wait for a connection; they are not sent afterwards.
    commandOptions: { timeout: deadlineMs },
    maintNotifications: "disabled",
    // So that a connection without questions is not taken for one that is broken.
    pingInterval: deadlineMs,
    socket: {
      connectTimeout: deadlineMs,
      socketTimeout: socketTimeoutMs,
      reconnectStrategy: retries => isTriedAgain && Math.min(50 * (retries + 1), longestRetryMs),
    },
  });
  // A ping may be under way when the client is given up.
  client.on("error", error => isTriedAgain && !(error instanceof DisconnectsClientError) && onError(error));
  client.once("ready", () => {
    isTriedAgain = true;
  });
  return client;
}

async function inTime<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(ms)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Answers of a Redis that starts, follows another one, is held up by a script, or has no room. */
const unable = /^(LOADING|MASTERDOWN|READONLY|BUSY|OOM|MISCONF|NOREPLICAS) /;
/** Of the client; what the system says of sockets has a `syscall`. */
const unreached = [
  AbortError,
  ClientClosedError,
  ClientOfflineError,
  ConnectionTimeoutError,
  DisconnectsClientError,
  NoAnswer,
  SocketClosedUnexpectedlyError,
  SocketTimeoutError,
  TimeoutError,
];

function isOutOfReach(error: unknown): boolean {
  if (error instanceof ErrorReply) return unable.test(error.message);
  return unreached.some(kind => error instanceof kind) || Object(error).syscall !== undefined;
}

function overloaded(cause: unknown): Error {
  return fail("overloaded", "The service cannot take this request right now. Try again shortly.", {}, cause);
}
