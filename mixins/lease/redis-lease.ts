import type { Lease } from "./lease.ts";

/** A lease as its holder sees it, by the clock of `performance`, which goes on while a process is stopped. */
export class RedisLease implements Lease {
  readonly name: string;
  readonly fence: number;
  /** With what it is held in Redis. */
  readonly token: string;
  /** When it was last asked for: what Redis promised began then at the earliest. */
  askedAt: number;
  readonly #release: (lease: RedisLease) => Promise<void>;
  readonly #ended = new AbortController();
  #until: number;

  constructor(
    of: { name: string; fence: number; token: string },
    askedAt: number,
    keptMs: number,
    release: (lease: RedisLease) => Promise<void>,
  ) {
    this.name = of.name;
    this.fence = of.fence;
    this.token = of.token;
    this.askedAt = askedAt;
    this.#until = askedAt + keptMs;
    this.#release = release;
  }

  readonly isHeld = (): boolean => !this.signal.aborted && performance.now() < this.#until;

  readonly release = async (): Promise<void> => {
    if (!this.signal.aborted) await this.#release(this);
  };

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** One that has counted as lost stays lost, whatever Redis says. */
  renewed(askedAt: number, keptMs: number): void {
    if (this.isHeld()) this.#until = askedAt + keptMs;
  }

  end(): void {
    this.#ended.abort();
  }
}
