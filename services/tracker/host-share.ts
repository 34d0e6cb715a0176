/**
 * How much of a process's work one host may hold. Work mostly waits for hosts: without this, many sources of one host that
 * answers slowly would hold all of it, and those of other hosts would come late.
 */
export class HostShare {
  readonly #most: number;
  readonly #gapMs: number;
  readonly #hosts = new Map<string, { running: number; nextAt: number }>();

  /** At most `most` at a time for a host; work that finds no slot comes again `gapMs` (milliseconds) apart. */
  constructor(most: number, gapMs: number) {
    this.#most = most;
    this.#gapMs = gapMs;
  }

  /** Does the work, or returns when to try again, in milliseconds. */
  async run(host: string, now: number, work: () => Promise<unknown>): Promise<number | null> {
    const share = this.#hosts.get(host) ?? { running: 0, nextAt: now };
    this.#hosts.set(host, share);
    if (share.running >= this.#most) {
      share.nextAt = Math.max(share.nextAt, now) + this.#gapMs;
      return share.nextAt;
    }
    share.running += 1;
    try {
      await work();
      return null;
    } finally {
      share.running -= 1;
      if (share.running === 0) this.#hosts.delete(host);
    }
  }
}
