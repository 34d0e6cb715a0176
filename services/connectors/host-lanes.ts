import { fail } from "../contracts/errors.ts";

/** Lets at most `width` works at a time go to each host; the others wait in order. */
export class HostLanes {
  private readonly lanes = new Map<string, { active: number; waiting: (() => void)[] }>();
  private readonly width: number;

  constructor(width: number) {
    this.width = width;
  }

  /** Throws `overloaded` when the turn does not come before the signal. */
  async run<T>(host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.enter(host, signal);
    try {
      return await work();
    } finally {
      this.leave(host);
    }
  }

  private enter(host: string, signal: AbortSignal): Promise<void> | undefined {
    const lane = this.lanes.get(host) ?? { active: 0, waiting: [] };
    this.lanes.set(host, lane);
    if (lane.active < this.width) {
      lane.active++;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const turn = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        lane.waiting = lane.waiting.filter(each => each !== turn);
        reject(
          fail("overloaded", "Too many of this host's sources are due; try again later.", {}, signal.reason),
        );
      };
      if (signal.aborted) return giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
      lane.waiting.push(turn);
    });
  }

  /** A turn passes on as it is, so that `active` stays. */
  private leave(host: string): void {
    const lane = this.lanes.get(host);
    const next = lane?.waiting.shift();
    if (next) next();
    else if (lane && --lane.active === 0) this.lanes.delete(host);
  }
}
