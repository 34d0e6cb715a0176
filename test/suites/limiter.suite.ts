import type { Limiter, Rate } from "../../mixins/coordination/limiter/limiter.ts";
import { until } from "../support/until.ts";

/** A limiter whose clock the suite moves. */
export interface LimiterDriver {
  limiter: Limiter;
  advance(ms: number): void | Promise<void>;
  close(): Promise<void>;
}

/** What every driver of the limiter does alike. */
export function limiterSuite(name: string, open: () => Promise<LimiterDriver>): void {
  describe(`limiter: ${name}`, () => {
    let driver: LimiterDriver;
    beforeEach(async () => {
      driver = await open();
    });
    afterEach(() => driver.close());

    const rate: Rate = { limit: 10, windowMs: 1000 };
    const passed = async (attempts: number, key = "k", by = rate) => {
      const verdicts = await Promise.all(
        Array.from({ length: attempts }, () => driver.limiter.consume(key, by)),
      );
      return verdicts.filter(verdict => verdict.allowed).length;
    };

    test("exactly the limit passes at once", async () => {
      expect(await passed(100)).toBe(10);
    });

    test("a window that straddles a boundary holds no more than the limit", async () => {
      await driver.advance(990);
      expect(await passed(20)).toBe(10);
      await driver.advance(20);
      expect(await passed(20)).toBe(0);
      await driver.advance(979);
      expect(await passed(20)).toBe(0);
      await driver.advance(1);
      expect(await passed(20)).toBe(10);
    });

    test("under a steady flood every window holds the limit and no more", async () => {
      const at: number[] = [];
      for (let time = 0; time < 5000; time += 37) {
        for (let n = await passed(3); n > 0; n -= 1) at.push(time);
        await driver.advance(37);
      }
      const inWindow = at.map(start => at.filter(time => time >= start && time < start + 1000).length);
      expect(Math.max(...inWindow)).toBe(10);
      expect(at.length).toBeGreaterThanOrEqual(46);
    });

    test("tells what remains, when the next passes and when all is free", async () => {
      const by = { limit: 2, windowMs: 1000 };
      const consume = () => driver.limiter.consume("k", by);
      expect(await consume()).toEqual({ allowed: true, remaining: 1, retryAfterMs: 0, resetMs: 1000 });
      await driver.advance(400);
      expect(await consume()).toEqual({ allowed: true, remaining: 0, retryAfterMs: 600, resetMs: 1000 });
      await driver.advance(100);
      expect(await consume()).toEqual({ allowed: false, remaining: 0, retryAfterMs: 500, resetMs: 900 });
      await driver.advance(499);
      expect(await consume()).toMatchObject({ allowed: false, retryAfterMs: 1 });
      await driver.advance(1);
      expect(await consume()).toMatchObject({ allowed: true, remaining: 0 });
    });

    test("refused requests cost nothing", async () => {
      await passed(10);
      for (let n = 0; n < 9; n += 1) {
        await driver.advance(100);
        await passed(5);
      }
      await driver.advance(100);
      expect(await passed(20)).toBe(10);
    });

    test("a peek says what the next request would get, and counts nothing", async () => {
      const by = { limit: 2, windowMs: 1000 };
      const peek = () => driver.limiter.peek("k", by);
      for (let n = 0; n < 5; n += 1) expect(await peek()).toMatchObject({ allowed: true, remaining: 2 });
      expect(await passed(3, "k", by)).toBe(2);
      for (let n = 0; n < 5; n += 1)
        expect(await peek()).toEqual({ allowed: false, remaining: 0, retryAfterMs: 1000, resetMs: 1000 });
      await driver.advance(1000);
      expect(await peek()).toMatchObject({ allowed: true, remaining: 2 });
      expect(await passed(3, "k", by)).toBe(2);
    });

    test("keys do not share", async () => {
      await passed(10, "a");
      expect(await passed(20, "b")).toBe(10);
    });

    test("a changed limit holds for what has passed already", async () => {
      expect(await passed(10)).toBe(10);
      expect(await passed(10, "k", { limit: 12, windowMs: 1000 })).toBe(2);
      expect(await passed(1, "k", { limit: 5, windowMs: 1000 })).toBe(0);
      await driver.advance(1000);
      expect(await passed(10, "k", { limit: 5, windowMs: 1000 })).toBe(5);
    });

    test("slots: as many as there are, and each is given back once", async () => {
      const acquire = () => driver.limiter.acquire("k", 2);
      const [first, second, third] = await Promise.all([acquire(), acquire(), acquire()]);
      expect([first, second, third].map(release => release !== null)).toEqual([true, true, false]);
      first?.();
      first?.();
      const again = await Promise.all([acquire(), acquire()]);
      expect(again.filter(release => release !== null)).toHaveLength(1);
      expect(await driver.limiter.acquire("other", 1)).not.toBeNull();
    });

    test("a holder that has a slot keeps it, and has no second one", async () => {
      const first = await driver.limiter.acquire("k", 1, "work");
      const again = await driver.limiter.acquire("k", 1, "work");
      expect([first !== null, again !== null]).toEqual([true, true]);
      expect(await driver.limiter.acquire("k", 1, "other")).toBeNull();
      again?.();
      await until("the slot is free", async () => (await driver.limiter.acquire("k", 1, "other")) !== null);
    });
  });
}
