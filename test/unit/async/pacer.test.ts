import { Pacer } from "../../../mixins/async/pacer.ts";

const never = new AbortController().signal;

test("turns come an interval apart, and none is saved up while nobody asks", async () => {
  let now = 1000;
  const pacer = new Pacer(5, () => now);
  const order: string[] = [];
  const turns = ["first", "second", "third"].map(async name => {
    await pacer.turn(never);
    order.push(name);
  });
  await turns[0];
  expect(order).toEqual(["first"]);
  await Promise.all(turns);
  expect(order).toEqual(["first", "second", "third"]);
  now += 60_000;
  await pacer.turn(never);
  const waiting = pacer.turn(AbortSignal.abort(new Error("over")));
  await expect(waiting).rejects.toThrow();
});
