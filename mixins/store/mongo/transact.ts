import { setTimeout as sleep } from "node:timers/promises";
import { fail } from "../../../services/contracts/errors.ts";
import type { Transaction } from "../store.ts";
import { commit } from "./commit.ts";
import { evaluate } from "./evaluate.ts";
import type { Scope } from "./scope.ts";

const patienceMs = 15_000;
const longestPauseMs = 100;

/** Evaluates and commits until nobody has come in between. */
export async function transact<Result>(
  scope: Scope,
  work: (transaction: Transaction) => Result,
  before?: (result: Result) => Promise<unknown>,
): Promise<Result> {
  const started = performance.now();
  for (
    let pauseMs = 2;
    performance.now() - started < patienceMs;
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  ) {
    const evaluation = await evaluate(scope, work);
    if ((await commit(scope, evaluation, before)) && "result" in evaluation.outcome)
      return evaluation.outcome.result;
    await sleep(Math.random() * pauseMs);
  }
  throw fail("overloaded", "The service cannot take this request right now. Try again shortly.");
}
