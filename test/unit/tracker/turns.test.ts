import { Turns } from "../../../services/tracker/turns.ts";

test("work of one name is done one at a time, in the order of its coming; that of another meanwhile", async () => {
  const turns = new Turns();
  const order: string[] = [];
  const held = Promise.withResolvers<void>();
  const first = turns.take("a", async () => {
    order.push("first begins");
    await held.promise;
    order.push("first ends");
    return 1;
  });
  const second = turns.take("a", async () => order.push("second"));
  await turns.take("b", async () => order.push("other"));
  held.resolve();
  await Promise.all([first, second]);
  expect([await first, order]).toEqual([1, ["first begins", "other", "first ends", "second"]]);
});

test("what goes wrong is the business of whoever did it, and not of the next", async () => {
  const turns = new Turns();
  const wrong = turns.take("a", () => Promise.reject(new Error("wrong")));
  const next = turns.take("a", async () => "right");
  await expect(wrong).rejects.toThrow("wrong");
  expect(await next).toBe("right");
});
