import { openEmbeddedLeases } from "../../../mixins/lease/embedded.leases.ts";
import { fail } from "../../../services/contracts/errors.ts";
import { Turns } from "../../../services/tracker/turns.ts";

const leases = openEmbeddedLeases("turns");
const others = openEmbeddedLeases("turns");
afterAll(() => Promise.all([leases.close(), others.close()]));
const closing = new AbortController();

test("work of one name is done one at a time, in the order of its coming; that of another meanwhile", async () => {
  const turns = new Turns(leases, closing.signal);
  const order: string[] = [];
  const held = Promise.withResolvers<void>();
  const first = turns.take("a", async () => {
    order.push("first begins");
    await held.promise;
    order.push("first ends");
    return 1;
  });
  const second = new Turns(others, closing.signal).take("a", async () => order.push("second"));
  await turns.take("b", async () => order.push("other"));
  held.resolve();
  await Promise.all([first, second]);
  expect([await first, order]).toEqual([1, ["first begins", "other", "first ends", "second"]]);
});

test("what goes wrong is the business of whoever did it, and not of the next", async () => {
  const turns = new Turns(leases, closing.signal);
  const wrong = turns.take("a", () => Promise.reject(new Error("wrong")));
  const next = turns.take("a", async () => "right");
  await expect(wrong).rejects.toThrow("wrong");
  expect(await next).toBe("right");
});

test("where leases cannot be had nobody waits for one", async () => {
  const refusal = fail("overloaded", "Try again shortly.");
  const away = { take: () => Promise.reject(refusal), wait: () => new Promise<never>(() => undefined) };
  const turns = new Turns(away, closing.signal);
  await expect(turns.take("a", async () => "never")).rejects.toBe(refusal);
});

test("what waits when the room stops is told so", async () => {
  const turns = new Turns(leases, closing.signal);
  const held = Promise.withResolvers<void>();
  const first = turns.take("a", () => held.promise);
  const second = turns.take("a", async () => "never");
  closing.abort(new Error("stopping"));
  await expect(second).rejects.toThrow("stopping");
  held.resolve();
  await first;
});
