import { setTimeout as delay } from "node:timers/promises";
import { FairGate } from "./fair-gate.ts";

interface Host {
  gate: FairGate;
  /** Unix milliseconds. */
  nextVisitAt: number;
}

/** Whose visit it is, where it goes, and how long the next one to the same host has to wait after it. */
export interface Errand {
  crawlId: string;
  url: string;
  spacingMs: number;
}

/** Hosts that are remembered before those with nothing to remember are forgotten. */
const manyHosts = 1000;

/**
 * How this process behaves to the hosts that its crawls visit: at most `width` visits to one at a time, spaced as its
 * robots.txt asks, none while it asks to be left alone; crawls that wait for the same host take turns.
 */
export class HostManners {
  readonly #hosts = new Map<string, Host>();
  readonly #width: number;
  readonly #now: () => number;

  constructor(width: number, now: () => number = Date.now) {
    this.#width = width;
    this.#now = now;
  }

  /** Rejects with the signal's reason when that fires before the visit begins. */
  async visit<T>(
    { crawlId, url, spacingMs }: Errand,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    const host = this.#hostOf(url);
    return await host.gate.run(crawlId, signal, async () => {
      await this.#untilWelcome(host, signal);
      if (spacingMs > 0) host.nextVisitAt = this.#now() + spacingMs;
      return await work();
    });
  }

  /** Leaves a URL's host alone for a time. */
  leaveAlone(url: string, ms: number): void {
    const host = this.#hostOf(url);
    host.nextVisitAt = Math.max(host.nextVisitAt, this.#now() + ms);
  }

  /** More than one visitor may wake at a time, and the first of them sends the others back to sleep. */
  async #untilWelcome(host: Host, signal: AbortSignal): Promise<void> {
    for (;;) {
      const waitMs = host.nextVisitAt - this.#now();
      if (waitMs <= 0) return;
      await delay(waitMs, undefined, { signal });
    }
  }

  #hostOf(url: string): Host {
    const { host } = new URL(url);
    const known = this.#hosts.get(host);
    if (known) return known;
    if (this.#hosts.size >= manyHosts) this.#forgetIdle();
    const fresh = { gate: new FairGate(this.#width), nextVisitAt: 0 };
    this.#hosts.set(host, fresh);
    return fresh;
  }

  #forgetIdle(): void {
    for (const [name, { gate, nextVisitAt }] of this.#hosts)
      if (gate.isIdle && nextVisitAt <= this.#now()) this.#hosts.delete(name);
  }
}
