import { Redis } from "ioredis";
import { memoryLimiter } from "../../../mixins/coordination/limiter/memory.limiter.ts";
import { redisLimiter } from "../../../mixins/coordination/limiter/redis.limiter.ts";
import type { Counting } from "../../../services/api/http/guess-limiter.ts";
import { guessLimiters } from "../../../services/api/http/guess-limits.ts";
import { codeOf } from "../../../services/contracts/errors.ts";

const logged: unknown[] = [];
const logger = { warn: (...line: unknown[]) => logged.push(line) } as never;
const broken: Counting = {
  consume: () => Promise.reject(new Error("a defect")),
  peek: () => Promise.reject(new Error("a defect")),
};

test("five wrong ones are counted, and after them every try is refused", async () => {
  logged.length = 0;
  const shared = memoryLimiter();
  const { adminGuesses } = guessLimiters(() => shared, logger);
  for (let n = 0; n < 5; n += 1) await adminGuesses.count("client");
  expect(logged).toEqual([["guessing.detected", { what: "admin key", client: "client" }]]);
  expect(await adminGuesses.count("client").catch(codeOf)).toBe("rate_limited");
  expect(await adminGuesses.check("client").catch(codeOf)).toBe("rate_limited");
  await adminGuesses.check("another");
});

test("while Redis is away wrong tries are counted in the process, so that administrators can sign in", async () => {
  const redis = new Redis({ port: 1, lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on("error", () => undefined);
  const shared = redisLimiter({ redis, namespace: "n", onError: () => undefined });
  const { signInGuesses } = guessLimiters(() => shared, logger);
  await signInGuesses.check("client");
  for (let n = 0; n < 5; n += 1) await signInGuesses.count("client");
  expect(await signInGuesses.count("client").catch(codeOf)).toBe("rate_limited");
  expect(await signInGuesses.check("client").catch(codeOf)).toBe("rate_limited");
  expect(await shared.consume("key", { limit: 5, windowMs: 1000 }).catch(codeOf)).toBe("overloaded");
});

test("an error of the limiter itself refuses: a defect must not lift the limit", async () => {
  const { adminGuesses } = guessLimiters(() => broken, logger);
  await expect(adminGuesses.count("client")).rejects.toThrow("a defect");
  await expect(adminGuesses.check("client")).rejects.toThrow("a defect");
});
