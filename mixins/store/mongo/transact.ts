import type { Transaction } from "../store.ts";
import { commit } from "./commit.ts";
import { evaluate } from "./evaluate.ts";
import { pause } from "./pause.ts";
import type { Scope } from "./scope.ts";

type Before<Result> = (result: Result) => Promise<unknown>;

/** Evaluates and commits until nobody has come in between. */
export async function transact<Result>(
  scope: Scope,
  work: (transaction: Transaction) => Result,
  before?: Before<Result>,
): Promise<Result> {
  const since = performance.now();
  const first = await attempt(scope, work, before);
  if (first) return first.result;
  // Transactions that meet once would meet again: only those of other processes are left to chance.
  return scope.locks.retries.take(async () => {
    for (let longestMs = 2; ; longestMs = Math.min(longestMs * 2, 100)) {
      const next = await attempt(scope, work, before);
      if (next) return next.result;
      await pause(since, longestMs);
    }
  });
}

async function attempt<Result>(
  scope: Scope,
  work: (transaction: Transaction) => Result,
  before?: Before<Result>,
): Promise<{ result: Result } | undefined> {
  const evaluation = await evaluate(scope, work);
  const isDone = await commit(scope, evaluation, before);
  return isDone && "result" in evaluation.outcome ? evaluation.outcome : undefined;
}
