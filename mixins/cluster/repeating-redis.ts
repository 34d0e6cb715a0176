import { setTimeout as sleep } from "node:timers/promises";
import { createClient, type RedisClientType } from "redis";
import { within } from "../async/timeout.ts";
import { commandTimeoutMs, connectTimeoutMs, reconnectDelayMs, socketTimeoutMs } from "./redis.ts";
import { isUnavailable, mapRedisErrors, NoAnswer } from "./redis-errors.ts";

/** A connection that leaves a command without an answer for as long is replaced. */
const silenceMs = 3000;
const retryMs = 100;

export interface RedisOptions {
  url: string;
  onError(error: unknown): void;
}

/**
 * A connection, by node-redis, for commands that do nothing more when they are repeated. While the server is away they
 * are sent again, and reject with the code `overloaded` when that takes as long as a command may.
 */
export class RepeatingRedis {
  readonly #options: RedisOptions;
  #client: RedisClientType;
  #isClosed = false;

  private constructor(options: RedisOptions, client: RedisClientType) {
    this.#options = options;
    this.#client = client;
  }

  /** Rejects with a message that names REDIS_URL, without the URL, which may hold a password. */
  static async open(options: RedisOptions): Promise<RepeatingRedis> {
    const client = newClient(options, "once");
    try {
      await within(connectTimeoutMs, client.connect(), noAnswer);
    } catch (cause) {
      if (client.isOpen) client.destroy();
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`REDIS_URL: the server cannot be used (${reason}).`, { cause });
    }
    return new RepeatingRedis(options, client);
  }

  run<Reply>(command: (client: RedisClientType) => Promise<Reply>): Promise<Reply> {
    return mapRedisErrors(this.#repeat(command));
  }

  /** Commands that wait for their replies are given up. */
  close(): void {
    this.#isClosed = true;
    if (this.#client.isOpen) this.#client.destroy();
  }

  async #repeat<Reply>(command: (client: RedisClientType) => Promise<Reply>): Promise<Reply> {
    const end = performance.now() + commandTimeoutMs;
    for (;;) {
      const client = this.#client;
      const leftMs = end - performance.now();
      try {
        return await within(leftMs, command(client), noAnswer);
      } catch (error) {
        if (error instanceof NoAnswer && leftMs >= silenceMs) this.#replace(client, error);
        const isOver = this.#isClosed || performance.now() + retryMs > end;
        if (isOver || !isUnavailable(error)) throw error;
      }
      await sleep(retryMs);
    }
  }

  /** The client gives up a connection without replies only when nothing is written to it either. */
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

function noAnswer(): never {
  throw new NoAnswer();
}

function newClient({ url, onError }: RedisOptions, connecting: "once" | "for ever"): RedisClientType {
  let reconnects = connecting === "for ever";
  const client: RedisClientType = createClient({
    url,
    // For commands that wait for a connection; they are not sent afterwards.
    commandOptions: { timeout: commandTimeoutMs },
    maintNotifications: "disabled",
    // An idle connection is not taken for a broken one.
    pingInterval: commandTimeoutMs,
    socket: {
      connectTimeout: connectTimeoutMs,
      socketTimeout: socketTimeoutMs,
      reconnectStrategy: retries => reconnects && reconnectDelayMs(retries + 1),
    },
  });
  // A ping may be under way when the client is destroyed.
  const isOwnEnd = (error: unknown) => error instanceof Error && error.message === "Disconnects client";
  client.on("error", error => {
    if (reconnects && !isOwnEnd(error)) onError(error);
  });
  client.once("ready", () => {
    reconnects = true;
  });
  return client;
}
