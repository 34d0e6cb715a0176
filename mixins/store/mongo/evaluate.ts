import type { Transaction } from "../store.ts";
import { Reads } from "./reads.ts";
import type { Scope } from "./scope.ts";
import { View } from "./view.ts";

/** Of one evaluation: each is a question to the server. */
const mostRounds = 200;

/** What the work comes to over documents that all were read, if not at one moment; nothing is written. */
export interface Evaluation<Result> {
  view: View;
  reads: Reads;
  outcome: { result: Result } | { error: unknown };
}

/** Runs the work until it reads nothing that has not been fetched. */
export async function evaluate<Result>(
  { places, locks }: Scope,
  work: (transaction: Transaction) => Result,
): Promise<Evaluation<Result>> {
  const reads = new Reads(locks);
  while (reads.rounds < mostRounds) {
    const view = new View(places, reads);
    const outcome = run(view, work);
    if (view.missing.size === 0) return { view, reads, outcome };
    await reads.load(view.missing.values());
  }
  throw new Error("The work of a transaction reads something else each time that it is run");
}

function run<Result>(view: View, work: (transaction: Transaction) => Result) {
  try {
    const result = work(view);
    if (result instanceof Promise) throw new TypeError("The work of a transaction must be synchronous");
    return { result };
  } catch (error) {
    return { error };
  }
}
