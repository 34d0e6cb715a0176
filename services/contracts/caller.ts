import type { Context } from "moleculer";
import type { CallMeta } from "./action.ts";
import { fail } from "./errors.ts";

/** Per-key bounds, as `limits` of an API key overrides them. */
export interface KeyLimits {
  /** Requests in any window of 60 s. */
  requestsPerMinute: number;
  concurrentScrapes: number;
  concurrentCrawls: number;
  trackedSources: number;
}

/** Bounds of a key that names none of its own. */
export const defaultLimits: KeyLimits = {
  requestsPerMinute: 600,
  concurrentScrapes: 10,
  concurrentCrawls: 2,
  trackedSources: 1000,
};

/** Who a request is made for: an authenticated API key. */
export interface Caller {
  readonly keyId: string;
  readonly owner: string;
  readonly limits: KeyLimits;
}

/** Who a call is made for. Throws `unauthorized` when it was made for nobody. */
export function callerOf({ meta: { caller } }: Context<unknown, CallMeta>): Caller {
  if (!caller) throw fail("unauthorized", "This needs an API key.");
  return caller;
}
