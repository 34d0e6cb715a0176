import { memoryLimiter } from "../../../mixins/coordination/limiter/memory.limiter.ts";
import type { Counting } from "../../../services/api/http/guess-limiter.ts";
import { guessLimiters } from "../../../services/api/http/guess-limits.ts";
import { codeOf, fail } from "../../../services/contracts/errors.ts";

const logged: unknown[] = [];
const logger = { warn: (...line: unknown[]) => logged.push(line) } as never;
const away: Counting = {
  consume: () => Promise.reject(fail("overloaded", "Redis is away.")),
  peek: () => Promise.reject(fail("overloaded", "Redis is away.")),
};
const broken: Counting = {
  consume: () => Promise.reject(new Error("a defect")),
  peek: () => Promise.reject(new Error("a defect")),
};

test.each<[string, Counting]>([
  ["the shared limiter", memoryLimiter()],
  ["this process while the shared limiter is away", away],
])("five wrong ones are counted by %s, and after them every try is refused", async (_, counting) => {
  logged.length = 0;
  const { adminGuesses } = guessLimiters(() => counting, logger);
  for (let n = 0; n < 5; n += 1) await adminGuesses.count("client");
  expect(logged).toEqual([["guessing.detected", { what: "admin key", client: "client" }]]);
  expect(await adminGuesses.count("client").catch(codeOf)).toBe("rate_limited");
  expect(await adminGuesses.check("client").catch(codeOf)).toBe("rate_limited");
  await adminGuesses.check("another");
});

test("any other error of the limiter refuses: a defect must not lift the limit", async () => {
  const { adminGuesses } = guessLimiters(() => broken, logger);
  await expect(adminGuesses.count("client")).rejects.toThrow("a defect");
  await expect(adminGuesses.check("client")).rejects.toThrow("a defect");
});
