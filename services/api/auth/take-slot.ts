import type { Caller } from "../../contracts/caller.ts";
import { fail } from "../../contracts/errors.ts";
import type { Gateway, Response } from "../gateway.ts";
import type { Route } from "../route.ts";

/** Holds one of the key's slots until the answer has ended or the client has left. Throws 429 `rate_limited`. */
export async function takeSlot(
  gateway: Gateway,
  res: Response,
  route: Route,
  caller: Caller | undefined,
): Promise<void> {
  if (!route.concurrency || !caller) return;
  const max = caller.limits[route.concurrency];
  const release = await gateway.limiter.acquire(`${route.concurrency}:${caller.keyId}`, max);
  if (!release)
    throw fail("rate_limited", `This key may run ${max} of these requests at a time.`, { retry_after: 1 });
  if (res.closed || res.destroyed) release();
  else res.once("close", release);
}
