import { randomUUID } from "node:crypto";
import { sleepUntilAborted } from "../../../mixins/async/sleep.ts";
import type { Lease, Leases } from "../../../mixins/coordination/leases/lease.ts";
import type { Store } from "../../../mixins/store/store.ts";

/**
 * The session of one tracker process, which owns its leases of polls and joins. The session itself is a renewed lease:
 * when the process dies, others release all its leases at once instead of waiting for each to expire.
 */
export interface StoredWorkerSession {
  _id: string;
}

/** Issues and checks the tokens of leases. */
export interface LeaseTokens {
  /** A new token; null while this process holds no session. */
  next(): string | null;
  /** Whether a token belongs to the running session. False at once in a process that wakes after a suspension. */
  isGood(token: string): boolean;
}

/** Milliseconds between attempts to start a new session. */
const restartDelayMs = 1000;

export class WorkerSession implements LeaseTokens {
  readonly #sessions: Store<StoredWorkerSession>;
  readonly #leases: Pick<Leases, "take">;
  #current: { id: string; lease: Lease } | undefined;
  #issued = 0;

  constructor(sessions: Store<StoredWorkerSession>, leases: Pick<Leases, "take">) {
    this.#sessions = sessions;
    this.#leases = leases;
  }

  next(): string | null {
    if (!this.#current?.lease.isHeld()) return null;
    this.#issued += 1;
    return `${this.#current.id}:${this.#issued}`;
  }

  isGood(token: string): boolean {
    return this.#current?.lease.isHeld() === true && token.startsWith(`${this.#current.id}:`);
  }

  /**
   * Starts a session; there are tokens from here on. It is stored only after its lease is held, so that nobody takes it
   * for dead.
   */
  async start(): Promise<void> {
    const id = randomUUID();
    const lease = await this.#leases.take(sessionLeaseName(id));
    if (!lease)
      throw new Error("Another process holds the lease of a session that this process has just named");
    await this.#sessions.insert({ _id: id }).catch(async error => {
      await lease.release();
      throw error;
    });
    this.#current = { id, lease };
  }

  /**
   * Starts a new session whenever one is lost, until the signal. Calls `onNew` after each start and `onError` for each
   * failure.
   */
  async keepAlive(signal: AbortSignal, onNew: () => void, onError: (error: unknown) => void): Promise<void> {
    while (!signal.aborted) {
      if (this.#current) await lostOrAborted(this.#current.lease, signal);
      if (signal.aborted) return;
      try {
        await this.start();
        onNew();
      } catch (error) {
        onError(error);
        await sleepUntilAborted(restartDelayMs, signal);
      }
    }
  }

  /** Ends this session and releases all its leases. */
  async end(releaseLeases: (session: string) => Promise<void>): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    if (!current) return;
    try {
      await releaseLeases(current.id);
      await this.#sessions.remove(current.id);
    } finally {
      await current.lease.release();
    }
  }

  /** Releases the leases of dead sessions; returns how many sessions there were. */
  async reapDead(releaseLeases: (session: string) => Promise<void>): Promise<number> {
    let dead = 0;
    for (const { _id } of await this.#sessions.find()) {
      const lease = _id === this.#current?.id ? null : await this.#leases.take(sessionLeaseName(_id));
      if (!lease) continue;
      try {
        await releaseLeases(_id);
        await this.#sessions.remove(_id);
        dead += 1;
      } finally {
        await lease.release();
      }
    }
    return dead;
  }
}

/** The tokens of one session, as a query condition. */
export function tokensOfSession(session: string): { $gt: string; $lt: string } {
  return { $gt: `${session}:`, $lt: `${session};` };
}

function sessionLeaseName(session: string): string {
  return `tracker/worker-session/${session}`;
}

function lostOrAborted({ signal }: Lease, ending: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const both = AbortSignal.any([signal, ending]);
    if (both.aborted) resolve();
    else both.addEventListener("abort", () => resolve(), { once: true });
  });
}
