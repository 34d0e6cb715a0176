import { FairSemaphore } from "../../async/fair-semaphore.ts";
import type { HostPoliteness } from "./host-politeness.ts";

/** A request to a host, and how long the next one to the same host has to wait after it. */
export interface HostRequest {
  /** Groups that wait for the same host, such as API keys, are served in rotation. */
  group: string;
  url: string;
  spacingMs: number;
}

export interface HostQueuesOptions {
  /** Requests to a host at a time. */
  width: number;
  /** Requests of different purposes count separately; those without one are a purpose of their own. */
  purpose?: string;
  /** Requests of this process that may wait for a host; more are rejected. By default any number. */
  mostWaiting?: number;
}

/** Queues above this number are removed when they are idle. */
const manyHosts = 1000;

/**
 * The requests of a service to hosts: at most `width` to a host at a time in all processes together, spaced as the host's
 * robots.txt asks, none while the host has asked for a pause. Those of this process wait in a queue for each host.
 */
export class HostQueues {
  readonly #queues = new Map<string, FairSemaphore>();
  readonly #politeness: HostPoliteness;
  readonly #width: number;
  readonly #prefix: string;
  readonly #mostWaiting: number;

  constructor(
    politeness: HostPoliteness,
    { width, purpose, mostWaiting = Number.POSITIVE_INFINITY }: HostQueuesOptions,
  ) {
    this.#politeness = politeness;
    this.#width = width;
    this.#mostWaiting = mostWaiting;
    this.#prefix = purpose === undefined ? "" : `${purpose}/`;
  }

  /** Rejects with the signal's reason when it fires before the request begins. */
  async request<T>(
    { group, url, spacingMs }: HostRequest,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    const host = this.#hostOf(url);
    const queue = this.#queueOf(host);
    if (queue.waiting() >= this.#mostWaiting) throw new Error("Too many requests wait for this host");
    return await queue.run(group, signal, async () => {
      const release = await this.#politeness.acquire(host, { width: this.#width, spacingMs }, signal);
      try {
        return await work();
      } finally {
        release();
      }
    });
  }

  /** Sends no request to a URL's host for a time, and then fewer than before. */
  async backOff(url: string, ms: number): Promise<void> {
    await this.#politeness.backOff(this.#hostOf(url), ms);
  }

  #hostOf(url: string): string {
    return this.#prefix + new URL(url).host;
  }

  #queueOf(host: string): FairSemaphore {
    const known = this.#queues.get(host);
    if (known) return known;
    if (this.#queues.size >= manyHosts)
      for (const [name, { isIdle }] of this.#queues) if (isIdle) this.#queues.delete(name);
    const fresh = new FairSemaphore({ width: this.#width });
    this.#queues.set(host, fresh);
    return fresh;
  }
}
