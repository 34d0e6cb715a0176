import { setTimeout as sleep } from "node:timers/promises";
import { createClient, type RedisClientType } from "redis";
import { within } from "../async/timeout.ts";
import { commandTimeoutMs, connectTimeoutMs, reconnectDelayMs, socketTimeoutMs } from "./redis.ts";
import { isOutOfSpace, isUnavailable, mapRedisErrors, NoAnswer } from "./redis-errors.ts";
import { primaryUrl } from "./redis-sentinels.ts";
import { ReplicaBarrier } from "./replica-barrier.ts";

/** A connection that leaves a command without an answer for as long is replaced. */
const silenceMs = 3000;
const retryMs = 100;

export interface RedisOptions {
  url: string;
  /** How many replicas must have what `runKept` returns; 0 by default. */
  replicas?: number;
  onError(error: unknown): void;
}

interface Link {
  /** The address of the server itself, also where sentinels name it. */
  url: string;
  client: RedisClientType;
  barrier: ReplicaBarrier;
}

/**
 * A connection, by node-redis, for commands that do nothing more when they are repeated. While the server is away they
 * are sent again, and reject with the code `overloaded` when that takes as long as a command may.
 */
export class RepeatingRedis {
  readonly #options: RedisOptions;
  #link: Link;
  #isClosed = false;

  private constructor(options: RedisOptions, link: Link) {
    this.#options = options;
    this.#link = link;
    this.#adopt(link);
  }

  /** Rejects with a message that names REDIS_URL, without the URL, which may hold a password. */
  static async open(options: RedisOptions): Promise<RepeatingRedis> {
    let link: Link | undefined;
    try {
      link = newLink(options, await primaryUrl(options.url), "once");
      await within(connectTimeoutMs, link.client.connect(), noAnswer);
    } catch (cause) {
      if (link?.client.isOpen) link.client.destroy();
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`REDIS_URL: the server cannot be used (${reason}).`, { cause });
    }
    return new RepeatingRedis(options, link);
  }

  run<Reply>(command: (client: RedisClientType) => Promise<Reply>): Promise<Reply> {
    return mapRedisErrors(this.#repeat(({ client }) => command(client)));
  }

  /**
   * The same, but resolves once as many replicas as are asked for have all that the server had when it replied. `shows` says
   * whether a reply shows anything that could be lost.
   */
  runKept<Reply>(
    command: (client: RedisClientType) => Promise<Reply>,
    shows: (reply: Reply) => boolean = () => true,
  ): Promise<Reply> {
    if (!this.#options.replicas) return this.run(command);
    const kept = async (link: Link): Promise<Reply> => {
      const socket = link.client.socketEpoch;
      const reply = await command(link.client);
      if (shows(reply)) await link.barrier.pass();
      // A later socket may be that of another server, which confirms what it never had.
      if (link.client.socketEpoch !== socket) throw new Error("Socket closed unexpectedly");
      return reply;
    };
    return mapRedisErrors(this.#repeat(kept));
  }

  /** Commands that wait for their replies are given up. */
  close(): void {
    this.#isClosed = true;
    if (this.#link.client.isOpen) this.#link.client.destroy();
  }

  async #repeat<Reply>(command: (link: Link) => Promise<Reply>): Promise<Reply> {
    const end = performance.now() + commandTimeoutMs;
    for (;;) {
      const link = this.#link;
      const leftMs = end - performance.now();
      try {
        return await within(leftMs, command(link), noAnswer);
      } catch (error) {
        if (error instanceof NoAnswer && leftMs >= silenceMs) this.#replace(link, error);
        if (isDemoted(error)) this.#replace(link, error);
        if (isOutOfSpace(error)) this.#options.onError(error);
        const isOver = this.#isClosed || performance.now() + retryMs > end;
        if (isOver || !isUnavailable(error)) throw error;
      }
      await sleep(retryMs);
    }
  }

  /** The client gives up a connection without replies only when nothing is written to it either. */
  #replace(link: Link, reason: unknown): void {
    if (this.#link !== link || this.#isClosed || !link.client.isReady) return;
    this.#options.onError(reason);
    this.#relink(link, link.url);
    void this.#follow(this.#link);
  }

  #relink(link: Link, url: string): void {
    if (link.client.isOpen) link.client.destroy();
    this.#link = newLink(this.#options, url, "for ever");
    this.#adopt(this.#link);
    this.#link.client.connect().catch(error => {
      if (!this.#isClosed) this.#options.onError(error);
    });
  }

  #adopt(link: Link): void {
    link.client.on("reconnecting", () => void this.#follow(link));
  }

  /** To the server that the sentinels name now. Never rejects: it is asked again with the next attempt to reconnect. */
  async #follow(link: Link): Promise<void> {
    const url = await primaryUrl(this.#options.url).catch(() => link.url);
    if (url !== link.url && this.#link === link && !this.#isClosed) this.#relink(link, url);
  }
}

function noAnswer(): never {
  throw new NoAnswer();
}

/** Whether a primary has become a replica; its address may lead to the new primary by now. */
function isDemoted(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("READONLY ");
}

function newLink(options: RedisOptions, url: string, connecting: "once" | "for ever"): Link {
  const client = newClient({ ...options, url }, connecting);
  return { url, client, barrier: new ReplicaBarrier(client, options.replicas ?? 0) };
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
