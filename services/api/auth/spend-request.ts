import type { Limiter } from "../../../mixins/limiter/limiter.ts";
import type { Caller } from "../../contracts/caller.ts";
import { fail } from "../../contracts/errors.ts";

const windowMs = 60_000;

/** An answer, or whatever stands for one. */
export interface TakesHeaders {
  setHeader(name: string, value: string): unknown;
}

/**
 * Takes one request from the key's sliding window and states what is left, as in the IETF draft
 * draft-ietf-httpapi-ratelimit-headers: `q` quota, `w` window in seconds, `r` remaining, `t` seconds until the
 * quota is whole again. Throws 429 `rate_limited`.
 */
export async function spendRequest(limiter: Limiter, caller: Caller, res: TakesHeaders): Promise<void> {
  const limit = caller.limits.requestsPerMinute;
  const verdict = await limiter.consume(caller.keyId, { limit, windowMs });
  res.setHeader("ratelimit-policy", `"default";q=${limit};w=${windowMs / 1000}`);
  res.setHeader("ratelimit", `"default";r=${verdict.remaining};t=${Math.ceil(verdict.resetMs / 1000)}`);
  if (verdict.allowed) return;
  const retryAfter = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000));
  throw fail("rate_limited", `This key may make ${limit} requests a minute. Try again in ${retryAfter} s.`, {
    retry_after: retryAfter,
  });
}
