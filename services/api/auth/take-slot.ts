import type { Caller } from "../../contracts/caller.ts";
import { fail } from "../../contracts/errors.ts";
import type { Gateway } from "../gateway.ts";
import type { Route } from "../route.ts";

/**
 * Takes one of the key's slots, if the route is bounded, and gives the function that returns it. It is to be returned
 * when the room has answered, not when the client leaves: the room works on, and a client that asks and leaves would
 * have as many at work as it likes. Throws 429 `rate_limited`.
 */
export async function takeSlot(
  gateway: Gateway,
  route: Route,
  caller: Caller | undefined,
  params: Record<string, unknown>,
): Promise<() => void> {
  if (!route.concurrency || !caller) return () => undefined;
  if (route.takesSlot && !route.takesSlot(params)) return () => undefined;
  const max = caller.limits[route.concurrency];
  const release = await gateway.limiter.acquire(`${route.concurrency}:${caller.keyId}`, max);
  if (!release)
    throw fail("rate_limited", `This key may run ${max} of these requests at a time.`, { retry_after: 1 });
  return release;
}
