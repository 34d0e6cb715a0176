import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { limiterMixin, type WithLimiter } from "../../mixins/coordination/limiter/limiter.mixin.ts";
import { memoryLimiter } from "../../mixins/coordination/limiter/memory.limiter.ts";
import { limiterSuite } from "../suites/limiter.suite.ts";

limiterSuite("memory", async () => {
  let now = 12_345.678;
  return {
    limiter: memoryLimiter(() => now),
    advance: ms => {
      now += ms;
    },
    close: async () => undefined,
  };
});

describe("the memory limiter", () => {
  test("forgets idle keys, and no other", async () => {
    let now = 0;
    const limiter = memoryLimiter(() => now);
    await limiter.consume("day", { limit: 1, windowMs: 86_400_000 });
    for (let n = 0; n < 10_000; n += 1) await limiter.consume(`key ${n}`, { limit: 5, windowMs: 1000 });
    expect(limiter.keys()).toBe(10_001);
    now += 1000;
    for (let n = 0; n < 10_000; n += 1) await limiter.consume("busy", { limit: 5, windowMs: 1000 });
    expect(limiter.keys()).toBe(2);
    expect((await limiter.consume("day", { limit: 1, windowMs: 86_400_000 })).allowed).toBe(false);
  });

  test("tells whole milliseconds, whatever fraction the clock stands at", async () => {
    let now = 0;
    const limiter = memoryLimiter(() => now);
    for (let n = 0; n < 100; n += 1) {
      now += 70_000 / 3;
      const { resetMs } = await limiter.consume(`key ${n}`, { limit: 1, windowMs: 60_000 });
      expect(resetMs).toBe(60_000);
    }
  });

  test("its mixin gives each service one of its own", async () => {
    const broker = new ServiceBroker({ logger: false });
    const service = broker.createService({ name: "a", mixins: [limiterMixin(toConfig({}))] });
    await broker.start();
    const { limiter } = service as unknown as WithLimiter;
    expect((await limiter.consume("k", { limit: 1, windowMs: 1000 })).allowed).toBe(true);
    expect((await limiter.consume("k", { limit: 1, windowMs: 1000 })).allowed).toBe(false);
    await broker.stop();
  });
});
