import { setTimeout as sleep } from "node:timers/promises";
import type { Quotas } from "../../../mixins/clients/quotas.ts";
import { type Suspect, underSuspicion } from "../../../mixins/runtime/crash-suspects.ts";
import { codeOf, fail } from "../../contracts/errors.ts";
import type { ScrapeData } from "../../contracts/page.contract.ts";
import type { ScrapeRequest } from "../../contracts/scraper.contract.ts";
import type { ProxyPool } from "../fetch/proxy-pool.ts";
import { renderCharge } from "../page-charge.ts";
import type { PageOrder } from "../page-request.ts";
import { type EarlierReads, earlierRead } from "./earlier-read.ts";

/**
 * The bounds of a scrape, from first to last:
 * `request.timeout`: how long a synchronous caller waits, and how long the page may take to settle (`deadline`);
 * `restartBy`: until then another node can start over and still answer the caller in time;
 * `maxRunMs`: the run ends, even if nobody waits for it.
 */
const minuteMs = 60_000;

/** What a run takes at most: twice its timeout, within 1 and 10 minutes. A page that hangs holds a slot that long. */
export function maxRunMs({ timeout }: ScrapeRequest): number {
  return Math.min(Math.max(2 * timeout, minuteMs), 10 * minuteMs);
}

/** What runs work with. */
export interface RunPorts extends EarlierReads {
  /** The scrapes that this process is working on. */
  runs: Runs;
  tools: EarlierReads["tools"] & { proxies: Pick<ProxyPool, "through"> };
  quotas: Quotas;
  /** The function in scrape-page.ts. */
  scrapePage(request: ScrapeRequest, order: PageOrder): Promise<ScrapeData>;
}

/** What a run is for. */
export interface Assignment extends Pick<RunOptions, "signal" | "retriesWhenBusy" | "restartBy"> {
  id: string;
  keyId: string;
  owner: string;
  request: ScrapeRequest;
  /** Its name as a reading of the page, which does not change where it is repeated as another scrape. */
  readAs?: string;
  /** The id of its charge; undefined for a key without quotas. */
  charge?: string | undefined;
}

/** Starts to scrape a page. An equal scrape within `max_age` answers in place of the site. */
export function runScrape(context: RunPorts, assignment: Assignment): Run {
  const { id, keyId, owner, request, readAs = id, charge, ...rest } = assignment;
  const deadline = context.now() + request.timeout;
  return context.runs.start({ id, keyId, maxMs: maxRunMs(request), ...rest }, (signal, answered) => {
    const readThrough = async (proxyUrl: string | undefined) => {
      const order = {
        ...{ keyId, owner, group: keyId, proxyUrl, deadline, signal, answered, readAs },
        ...(charge !== undefined && { chargeRender: renderCharge(context.quotas, keyId, charge) }),
      };
      return (await earlierRead(context, request, order)) ?? (await context.scrapePage(request, order));
    };
    const read = () => context.tools.proxies.through(request.proxy, keyId, signal, readThrough);
    return assignment.retriesWhenBusy ? read() : underSuspicion(notRepeated, read);
  });
}

/** A synchronous request that crashes the process is not repeated. Naming it keeps running jobs from the blame. */
const notRepeated: Suspect = { blame: async () => undefined };

/** What came of a run. The error is the reason of its stop, if it was stopped. */
export type Outcome = { ok: true; data: ScrapeData } | { ok: false; error: unknown };

/** A scrape that this process is working on. */
export interface Run {
  id: string;
  keyId: string;
  outcome: Promise<Outcome>;
  /** The request was answered; the run continues for its record. */
  readonly isAnswered: boolean;
  markAnswered(): void;
  restartBy: number | undefined;
  /** Set when a record waits for the outcome; resolves when the outcome is written there. */
  recorded?: Promise<void>;
  stop(reason: Error): void;
}

export interface RunOptions {
  id: string;
  keyId: string;
  /** The run is stopped after so many milliseconds. */
  maxMs: number;
  /** Ends the run with its reason. */
  signal?: AbortSignal;
  /** Milliseconds since the epoch. A run started elsewhere by then has its full timeout before the caller gives up. */
  restartBy?: number;
  /** Waits when the browser or the threads are busy, instead of failing with `overloaded`. */
  retriesWhenBusy?: boolean;
}

/** The reason of a stop after which another node repeats the work: the outcome is not written. */
export const handedOver = new Error("Another node continues this scrape");

const retryEveryMs = 1000;

/** Reads the page until the first signal fires. The second fires when the request was answered before. */
type Work = (signal: AbortSignal, answered: AbortSignal) => Promise<ScrapeData>;

/** The scrapes that this process is working on. */
export class Runs {
  readonly #runs = new Map<string, Run>();
  readonly #onEnded: (outcome: Outcome) => void;

  /** `onEnded` is called after each run. */
  constructor(onEnded: (outcome: Outcome) => void) {
    this.#onEnded = onEnded;
  }

  start(options: RunOptions, work: Work): Run {
    const { id, keyId, maxMs, restartBy } = options;
    const own = new AbortController();
    const answered = new AbortController();
    const signal = AbortSignal.any([own.signal, ...(options.signal ? [options.signal] : [])]);
    const retry = { refusal: undefined as unknown };
    const timer = setTimeout(() => own.abort(retry.refusal ?? tooLong(maxMs)), maxMs);
    const working = options.retriesWhenBusy
      ? retryWhenBusy(() => work(signal, answered.signal), signal, retry)
      : work(signal, answered.signal);
    const outcome = working
      .then(
        (data): Outcome => ({ ok: true, data }),
        (error): Outcome => ({ ok: false, error: signal.aborted ? signal.reason : error }),
      )
      .then(ended => {
        clearTimeout(timer);
        this.#onEnded(ended);
        if (this.#runs.get(id) === run) this.#runs.delete(id);
        return ended;
      });
    const stop = (reason: Error) => own.abort(reason);
    const run: Run = {
      ...{ id, keyId, outcome, restartBy, stop },
      get isAnswered() {
        return answered.signal.aborted;
      },
      markAnswered: () => answered.abort(),
    };
    this.#runs.set(id, run);
    return run;
  }

  get(id: string): Run | undefined {
    return this.#runs.get(id);
  }

  all(): Run[] {
    return [...this.#runs.values()];
  }

  /** Stops all runs; other nodes repeat them. */
  handOverAll(): void {
    for (const run of this.#runs.values()) run.stop(handedOver);
  }
}

/** Repeats the work while it fails with `overloaded`. `retry` keeps the last refusal, for the error at the end. */
async function retryWhenBusy(
  work: () => Promise<ScrapeData>,
  signal: AbortSignal,
  retry: { refusal: unknown },
): Promise<ScrapeData> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (codeOf(error) !== "overloaded") throw error;
      retry.refusal = error;
    }
    await sleep(retryEveryMs, undefined, { signal });
  }
}

function tooLong(boundMs: number): Error {
  return fail("scrape_timeout", `The page was not ready within ${boundMs / 1000} s.`);
}
