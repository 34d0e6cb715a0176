import { setTimeout as sleep } from "node:timers/promises";

/** The bounds of a request to a host. */
export interface HostLimits {
  /** Requests to the host at a time. */
  width: number;
  /** Milliseconds between the beginning of this request and of the next one. */
  spacingMs: number;
}

/** How politely all processes of an installation together ask hosts. */
export interface HostPoliteness {
  /**
   * Waits until the host has a free place and no pause, in the order of arrival; resolves with the function that releases
   * the place. Rejects with the signal's reason when it fires before that.
   */
  acquire(host: string, limits: HostLimits, signal: AbortSignal): Promise<() => void>;
  /**
   * No request to the host begins for `ms`. Then they begin half as often as before, but not so rarely that two pauses
   * would lie between them; with each that begins, a little more often again. What is asked for within such a pause only
   * lengthens it.
   */
  backOff(host: string, ms: number): Promise<void>;
}

/** Milliseconds between the beginnings of requests to a host that has asked for pauses. */
export const pace = {
  first: 200,
  longest: 30_000,
  /** Below this there is no pace. */
  shortest: 25,
  /** What each request that begins leaves of it. */
  easing: 0.9,
  /** How long it is kept without a request. */
  keptMs: 600_000,
};

/** Open host politeness; `close` rejects what waits and releases every place. */
export interface OpenHostPoliteness extends HostPoliteness {
  close(): Promise<void>;
}

/** A waiting request asks at least this often, so that one of a dead process is soon left out. */
const longestWaitMs = 1000;
const askAgainMs = 50;
const afterErrorMs = 1000;

/** Milliseconds until the pause ends; `full`: no place is free; 0: the request has its place. */
export type Answer = number | "full";

/** Asks again and again until the request has its place. Reports an error, and then asks again. */
export async function waitUntilAllowed(
  ask: () => Promise<Answer>,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const waitMs = await ask().then(
      answer => (answer === "full" ? askAgainMs : answer),
      error => {
        onError(error);
        return afterErrorMs;
      },
    );
    if (waitMs === 0) return;
    await sleep(Math.min(waitMs, longestWaitMs), undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
