import { openEmbeddedLeases } from "../../../mixins/coordination/leases/embedded.leases.ts";
import { fail } from "../../../services/contracts/errors.ts";
import { SourceMutex } from "../../../services/tracker/tracking/source-mutex.ts";

const leases = openEmbeddedLeases("mutex");
const others = openEmbeddedLeases("mutex");
afterAll(() => Promise.all([leases.close(), others.close()]));
const closing = new AbortController();

test("work on one source is done one at a time, in order; work on another meanwhile", async () => {
  const mutex = new SourceMutex(leases, closing.signal);
  const order: string[] = [];
  const held = Promise.withResolvers<void>();
  const first = mutex.run("a", async () => {
    order.push("first begins");
    await held.promise;
    order.push("first ends");
    return 1;
  });
  const second = new SourceMutex(others, closing.signal).run("a", async () => order.push("second"));
  await mutex.run("b", async () => order.push("other"));
  held.resolve();
  await Promise.all([first, second]);
  expect([await first, order]).toEqual([1, ["first begins", "other", "first ends", "second"]]);
});

test("a failure concerns its own work, not the next", async () => {
  const mutex = new SourceMutex(leases, closing.signal);
  const wrong = mutex.run("a", () => Promise.reject(new Error("wrong")));
  const next = mutex.run("a", async () => "right");
  await expect(wrong).rejects.toThrow("wrong");
  expect(await next).toBe("right");
});

test("without leases nobody waits for one", async () => {
  const refusal = fail("overloaded", "Try again shortly.");
  const away = { take: () => Promise.reject(refusal), wait: () => new Promise<never>(() => undefined) };
  const mutex = new SourceMutex(away, closing.signal);
  await expect(mutex.run("a", async () => "never")).rejects.toBe(refusal);
});

test("waiting ends when the service stops", async () => {
  const mutex = new SourceMutex(leases, closing.signal);
  const held = Promise.withResolvers<void>();
  const first = mutex.run("a", () => held.promise);
  const second = mutex.run("a", async () => "never");
  closing.abort(new Error("stopping"));
  await expect(second).rejects.toThrow("stopping");
  held.resolve();
  await first;
});
