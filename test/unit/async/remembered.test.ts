import { remembered } from "../../../mixins/async/remembered.ts";

function counting(answers: (() => Promise<number>)[]) {
  const clock = { now: 1000 };
  let asked = 0;
  const ask = () => (answers[asked++] ?? (async () => asked))();
  return { clock, get: remembered(ask, 60_000, () => clock.now), asked: () => asked };
}

test("an answer is given again until it is old, whichever way the clock goes", async () => {
  const { clock, get, asked } = counting([]);
  expect([await get(), await get()]).toEqual([1, 1]);
  clock.now += 59_999;
  expect(await get()).toBe(1);
  clock.now += 1;
  expect(await get()).toBe(2);
  clock.now -= 120_000;
  expect(await get()).toBe(3);
  expect(asked()).toBe(3);
});

test("nobody asks while another asks, however long that takes", async () => {
  const slow = Promise.withResolvers<number>();
  const { clock, get, asked } = counting([() => slow.promise]);
  const first = get();
  clock.now += 600_000;
  const second = get();
  slow.resolve(7);
  expect(await Promise.all([first, second])).toEqual([7, 7]);
  expect(asked()).toBe(1);
});

test("an error is not remembered", async () => {
  const { get } = counting([() => Promise.reject(new Error("away"))]);
  await expect(get()).rejects.toThrow("away");
  expect(await get()).toBe(2);
});
