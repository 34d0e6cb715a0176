import { Cluster } from "puppeteer-cluster";
import { fail } from "../../services/contracts/errors.ts";
import { untilAborted } from "../deadline/until-aborted.ts";
import type { LeaseSpec, Session } from "./session.ts";
import { BrowserUnavailable, SessionPool, type SessionPoolOptions } from "./session-pool.ts";
import { slotConcurrency } from "./slot-concurrency.ts";

export interface BrowserPoolOptions extends SessionPoolOptions {
  /** Pages that render at a time. */
  pages: number;
  /** Jobs that may wait for a page. */
  queue: number;
}

/** Renders in a bounded number of pages. */
export interface BrowserPool {
  /**
   * Runs a task in a session of its own. The signal is the deadline: when it fires the promise rejects with its reason
   * and the session is thrown away, whatever the task still does. A browser that dies under the task is replaced and
   * the task started once more. Errors: `overloaded` when the queue is full or no browser starts.
   */
  run<T>(spec: LeaseSpec, signal: AbortSignal, task: (session: Session) => Promise<T>): Promise<T>;
  /** Starts a browser if none runs, so that the first page need not wait for it. */
  warm(): Promise<void>;
  /** Why the last start of a browser failed; undefined when it did not. */
  problem(): unknown;
  /** Jobs that render and jobs that wait. */
  load(): { running: number; waiting: number };
  pids(): number[];
  memoryMb(): number;
  close(): Promise<void>;
}

/** What Puppeteer says when the browser or the page went away under a command; the page itself is not to blame. */
const brokenBrowser =
  /Target closed|Session closed|Protocol error|frame was detached|main frame too early|Connection closed|Navigating frame/i;

/** The queue and the slots are puppeteer-cluster's; sessions, deadlines and repair are ours (see README, Decisions). */
export async function createBrowserPool(options: BrowserPoolOptions): Promise<BrowserPool> {
  const sessions = new SessionPool(options);
  const cluster: Cluster<undefined, void> = await Cluster.launch({
    concurrency: slotConcurrency,
    maxConcurrency: options.pages,
    timeout: 2 ** 31 - 1,
    puppeteer: {},
  });
  const load = { running: 0, waiting: 0 };

  async function inSlot<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (load.running + load.waiting >= options.pages + options.queue)
      throw fail("overloaded", "Every browser page is busy and the queue is full. Try again soon.", {
        retry_after: 2,
      });
    load.waiting += 1;
    let started = false;
    const outcome = Promise.withResolvers<T>();
    const queued = cluster.execute(async () => {
      if (signal.aborted) return;
      started = true;
      load.waiting -= 1;
      load.running += 1;
      await work().then(outcome.resolve, outcome.reject);
      load.running -= 1;
    });
    queued.catch(outcome.reject);
    try {
      return await untilAborted(outcome.promise, signal);
    } finally {
      if (!started) load.waiting -= 1;
    }
  }

  async function attempt<T>(
    spec: LeaseSpec,
    signal: AbortSignal,
    task: (session: Session) => Promise<T>,
  ): Promise<T> {
    const session = await sessions.lease(spec);
    try {
      return await untilAborted(task(session), signal);
    } catch (error) {
      session.spoiled = true;
      throw error;
    } finally {
      await sessions.giveBack(session);
    }
  }

  return {
    run: (spec, signal, task) =>
      inSlot(signal, () =>
        attempt(spec, signal, task)
          .catch(error => {
            if (signal.aborted || !brokenBrowser.test(String(error))) throw error;
            return attempt(spec, signal, task);
          })
          .catch(error => {
            if (error instanceof BrowserUnavailable) throw unavailable(error);
            throw error;
          }),
      ),
    warm: () => sessions.warm(),
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

function unavailable(cause: BrowserUnavailable): Error {
  return fail(
    "overloaded",
    "This page needs a browser, and none is available at the moment. With js_render.enabled set to false, and " +
      "without a screenshot, it is read as the site sends it.",
    { retry_after: 5 },
    cause,
  );
}
