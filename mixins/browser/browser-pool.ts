import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, fail } from "../../services/contracts/errors.ts";
import { FairSemaphore } from "../async/fair-semaphore.ts";
import { untilAborted } from "../async/timeout.ts";
import { BrowserUnavailable, isBrokenBrowser } from "./browser-process.ts";
import type { LeaseSpec, Session } from "./session.ts";
import { SessionCluster } from "./session-cluster.ts";
import { SessionPool, type SessionPoolOptions } from "./session-pool.ts";

export interface BrowserPoolOptions extends SessionPoolOptions {
  /** Pages that render at a time. */
  pages: number;
  /** Jobs that may wait for a page. */
  queue: number;
  /** Called when a job begins to wait, gets its page, or leaves it. */
  onLoad?: () => void;
}

/** Renders in a bounded number of pages. */
export interface BrowserPool {
  /**
   * Runs a task in a session of its own. The signal is the deadline: when it fires, the promise rejects with its reason
   * and the pool closes the session, even if the task still runs. When a browser dies under the task, the pool replaces it
   * and starts the task again, at most twice. Errors: `overloaded` when the queue is full or no browser starts.
   */
  run<T>(spec: LeaseSpec, signal: AbortSignal, task: (session: Session) => Promise<T>): Promise<T>;
  /**
   * Spares the first page a wait: starts a browser where browsers stay, and only looks for one, unpacking it if need be,
   * where they end when idle.
   */
  prepare(): Promise<void>;
  /** Has a context open in the running browser from now on, so that a key's first page does not wait for one. */
  prepareRoom(): Promise<void>;
  /** Why the last start of a browser failed; undefined when it succeeded. */
  problem(): unknown;
  /** Jobs that render and jobs that wait. */
  load(): { running: number; waiting: number };
  pids(): number[];
  memoryMb(): number;
  close(): Promise<void>;
}

interface Job<T> {
  spec: LeaseSpec;
  signal: AbortSignal;
  task: (session: Session) => Promise<T>;
}

/** Takes the result of a job before its page is wiped. */
type Answer<T> = (result: T) => void;

/** Resolves when the slot is free again; rejects when there is no answer. */
type Work<T> = (answer: Answer<T>) => Promise<void>;

const triesBesides = 2;

/**
 * The queue is fair by key and the deadlines are ours. puppeteer-cluster runs what has a place, in sessions by key, whose
 * browsers the session pool starts, watches and replaces (docs/decisions/0015, 0226).
 */
export async function createBrowserPool(options: BrowserPoolOptions): Promise<BrowserPool> {
  const sessions = new SessionPool(options);
  // There is a place more than a key may hold, so that a page of another key never waits for the pages of one key.
  const places = options.pages + 1;
  const cluster = new SessionCluster(sessions, places);
  const load = { running: 0, waiting: 0 };
  const slots = new FairSemaphore({ width: places, perGroup: options.pages });

  function count(what: keyof typeof load, by: 1 | -1): void {
    load[what] += by;
    options.onLoad?.();
  }

  /** A key without any page here may join a queue that others have filled, up to twice the queue's length. */
  function refuseIfFull(tenant: string): void {
    const isNew = slots.held(tenant) === 0 && slots.waiting(tenant) === 0;
    const queue = isNew ? 2 * options.queue : options.queue;
    if (load.running + load.waiting >= options.pages + queue)
      throw fail("overloaded", "Every browser page is busy and the queue is full. Try again soon.", {
        retry_after: 2,
      });
  }

  /** Jobs wait here and not in the cluster's queue, which serves in the order of arrival and ignores whose page it is. */
  async function inSlot<T>(tenant: string, signal: AbortSignal, work: Work<T>): Promise<T> {
    refuseIfFull(tenant);
    count("waiting", 1);
    const leave = await slots.acquire(tenant, signal).finally(() => count("waiting", -1));
    count("running", 1);
    const outcome = Promise.withResolvers<T>();
    work(outcome.resolve)
      .catch(outcome.reject)
      .finally(() => {
        leave();
        count("running", -1);
      });
    return await untilAborted(outcome.promise, signal);
  }

  async function attempt<T>({ signal, task }: Job<T>, session: Session, answer: Answer<T>): Promise<void> {
    try {
      answer(await untilAborted(task(session), AbortSignal.any([signal, session.ended])));
    } catch (error) {
      session.spoiled = true;
      throw session.ended.aborted ? session.ended.reason : error;
    }
  }

  /** Starts a page again when its browser has ended under it: another page may have ended the browser. */
  async function persist<T>(job: Job<T>, answer: Answer<T>): Promise<void> {
    for (let left = triesBesides; ; left--) {
      let hasStarted = false;
      const begin = (session: Session) => {
        hasStarted = true;
        return attempt(job, session, answer);
      };
      try {
        return await cluster.run(job, begin);
      } catch (error) {
        const isOver = job.signal.aborted || left === 0;
        if (isOver || !hasStarted || !isBrokenBrowser(error)) throw error;
      }
    }
  }

  return {
    run: (spec, signal, task) =>
      inSlot(spec.tenant, signal, answer =>
        persist({ spec, signal, task }, answer).catch(error => {
          if (error instanceof BrowserUnavailable) throw unavailable(error);
          throw error;
        }),
      ),
    prepare: () => sessions.prepare(),
    prepareRoom: () => sessions.prepareRoom(),
    problem: () => sessions.problem,
    load: () => ({ ...load }),
    pids: () => sessions.pids(),
    memoryMb: () => sessions.memoryMb(),
    close: async () => {
      await sessions.close();
      await cluster.close();
    },
  };
}

const askAgainMs = 100;

/**
 * The browser pool for crawls. A page that a crawl has fetched must not be fetched again, so it waits until its signal
 * fires where a scrape would be refused. At most `width` pages of crawls are in the pool, waiting or shown, which leaves
 * the rest of its queue to scrapes.
 */
export function waitingPool(pool: BrowserPool, width: number): BrowserPool {
  const queue = new FairSemaphore({ width });
  return {
    ...pool,
    run: (spec, signal, task) =>
      queue.run(spec.tenant, signal, () => whenFree(pool, signal, () => pool.run(spec, signal, task))),
  };
}

/** Waits while the queue is full, but not if no browser can start. */
async function whenFree<T>(pool: BrowserPool, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (codeOf(error) !== "overloaded" || pool.problem() !== undefined) throw error;
    }
    await sleep(askAgainMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

function unavailable(cause: BrowserUnavailable): Error {
  return fail(
    "overloaded",
    "This page needs a browser, and none is available at the moment. With js_render.enabled set to false, and " +
      "without a screenshot, it is read as the site sends it.",
    { retry_after: 5 },
    cause,
  );
}
