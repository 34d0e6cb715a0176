import { setTimeout as wait } from "node:timers/promises";
import { codeOf, fail } from "../../contracts/errors.ts";
import type { ScrapeData } from "../../contracts/scraper.contract.ts";

/** What came of a run. The error is the reason for which it was stopped, if it was. */
export type Outcome = { ok: true; data: ScrapeData } | { ok: false; error: unknown };

/** Work on a scrape in this process. */
export interface Run {
  id: string;
  keyId: string;
  outcome: Promise<Outcome>;
  /** Nobody waits for it any more. */
  isOverdue: boolean;
  anewBy: number | undefined;
  /** Of a run that this process holds: resolves when its outcome is written. */
  recorded?: Promise<void>;
  stop(reason: Error): void;
}

export interface RunOptions {
  id: string;
  keyId: string;
  /** It is stopped after so many milliseconds. */
  boundMs: number;
  /** Ends it with its reason. */
  signal?: AbortSignal;
  /** Milliseconds since the epoch: one that begins by then, elsewhere, has all of its time before its caller gives up. */
  anewBy?: number;
  /** Waits for its turn where there is no room at the moment. */
  isPatient?: boolean;
}

/** Its outcome is not to be written: somebody else does the work again. */
export const handedOver = new Error("Somebody else goes on with this scrape");

const untilNextTryMs = 1000;

/** What is being worked on in this process. */
export class Runs {
  readonly #runs = new Map<string, Run>();

  start(options: RunOptions, work: (signal: AbortSignal) => Promise<ScrapeData>): Run {
    const { id, keyId, boundMs, anewBy } = options;
    const own = new AbortController();
    const signal = AbortSignal.any([own.signal, ...(options.signal ? [options.signal] : [])]);
    const patience = { refusal: undefined as unknown };
    const timer = setTimeout(() => own.abort(patience.refusal ?? tooLong(boundMs)), boundMs);
    const working = options.isPatient ? patiently(work, signal, patience) : work(signal);
    const outcome = working
      .then(
        (data): Outcome => ({ ok: true, data }),
        (error): Outcome => ({ ok: false, error: signal.aborted ? signal.reason : error }),
      )
      .finally(() => {
        clearTimeout(timer);
        if (this.#runs.get(id) === run) this.#runs.delete(id);
      });
    const stop = (reason: Error) => own.abort(reason);
    const run: Run = { id, keyId, outcome, isOverdue: false, anewBy, stop };
    this.#runs.set(id, run);
    return run;
  }

  get(id: string): Run | undefined {
    return this.#runs.get(id);
  }

  all(): Run[] {
    return [...this.#runs.values()];
  }

  /** Stops all; what was begun is done again elsewhere. */
  handOver(): void {
    for (const run of this.#runs.values()) run.stop(handedOver);
  }
}

/** `overloaded` says that there is no room right now. `patience` keeps the last refusal, for whoever ends the waiting. */
async function patiently(
  work: (signal: AbortSignal) => Promise<ScrapeData>,
  signal: AbortSignal,
  patience: { refusal: unknown },
): Promise<ScrapeData> {
  for (;;) {
    try {
      return await work(signal);
    } catch (error) {
      if (codeOf(error) !== "overloaded") throw error;
      patience.refusal = error;
    }
    await wait(untilNextTryMs, undefined, { signal });
  }
}

function tooLong(boundMs: number): Error {
  return fail("scrape_timeout", `The page was not ready within ${boundMs / 1000} s.`);
}
