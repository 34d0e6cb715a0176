import type { Lease } from "../../../mixins/coordination/leases/lease.ts";
import { LeaseWaiters } from "../../../mixins/coordination/leases/redis.leases.ts";

function lease(fence: number, isHeld: boolean, released: number[]): Lease {
  return {
    name: "a",
    fence,
    isHeld: () => isHeld,
    signal: new AbortController().signal,
    release: async () => void released.push(fence),
  };
}

test("a lease that was lost before the answer came is given back, and the next one is waited for", async () => {
  const released: number[] = [];
  const answers = [null, lease(1, false, released), lease(2, true, released)];
  const waiters = new LeaseWaiters(
    "a",
    async () => answers.shift() ?? null,
    () => undefined,
  );
  const { fence } = await waiters.wait(new AbortController().signal);
  expect(fence).toBe(2);
  expect(released).toEqual([1]);
  expect(waiters.isEmpty).toBe(true);
});
