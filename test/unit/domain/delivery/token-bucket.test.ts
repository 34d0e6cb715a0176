import { TokenBucket } from "../../../../services/domain/delivery/token-bucket.ts";

const rate = { per_second: 2, burst: 4 };

test("it starts full, and fills at its rate", () => {
  const bucket = new TokenBucket(rate, 0);
  expect([1, 2, 3, 4, 5].map(() => bucket.take(1, 0))).toEqual([true, true, true, true, false]);
  expect(bucket.readyAt(1, 0)).toBe(500);
  expect(bucket.take(1, 499)).toBe(false);
  expect(bucket.take(1, 500)).toBe(true);
  expect(bucket.readyAt(3, 500)).toBe(2_000);
});

test("it is never more than full", () => {
  const bucket = new TokenBucket(rate, 0);
  expect(bucket.take(5, 3_600_000)).toBe(true);
  expect(bucket.isFull(3_600_000)).toBe(false);
  expect(bucket.isFull(3_610_000)).toBe(true);
});

test("what is larger than the bucket needs a full one and leaves a debt", () => {
  const bucket = new TokenBucket(rate, 0);
  expect(bucket.take(10, 0)).toBe(true);
  expect(bucket.readyAt(1, 0)).toBe(3_500);
  expect(bucket.readyAt(10, 0)).toBe(5_000);
  expect(bucket.take(10, 4_999)).toBe(false);
  expect(bucket.take(10, 5_000)).toBe(true);
});

test("a clock that is set back gives nothing away", () => {
  const bucket = new TokenBucket(rate, 10_000);
  for (let n = 0; n < 4; n += 1) bucket.take(1, 10_000);
  expect(bucket.take(1, 5_000)).toBe(false);
  expect(bucket.readyAt(1, 5_000)).toBe(5_500);
});
