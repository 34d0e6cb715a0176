import type { Page } from "puppeteer";
import { Cluster } from "puppeteer-cluster";
import { fail } from "../../services/contracts/errors.ts";
import { FairSemaphore } from "../async/fair-semaphore.ts";
import { untilAborted } from "../async/timeout.ts";
import type { LeaseSpec, Session } from "./session.ts";
import { BrowserUnavailable, SessionPool, type SessionPoolOptions } from "./session-pool.ts";

export interface BrowserPoolOptions extends SessionPoolOptions {
  /** Pages that render at a time. */
  pages: number;
  /** Jobs that may wait for a page. */
  queue: number;
}

/** Renders in a bounded number of pages. */
export interface BrowserPool {
  /**
   * Runs a task in a session of its own. The signal is the deadline: when it fires, the promise rejects with its reason
   * and the pool closes the session, even if the task still runs. When a browser dies under the task, the pool replaces it
   * and starts the task again, at most twice. Errors: `overloaded` when the queue is full or no browser starts.
   */
  run<T>(spec: LeaseSpec, signal: AbortSignal, task: (session: Session) => Promise<T>): Promise<T>;
  /** Starts a browser if none runs, so that the first page does not wait for it. */
  warm(): Promise<void>;
  /** Why the last start of a browser failed; undefined when it succeeded. */
  problem(): unknown;
  /** Jobs that render and jobs that wait. */
  load(): { running: number; waiting: number };
  pids(): number[];
  memoryMb(): number;
  close(): Promise<void>;
}

/** Puppeteer's messages when the browser or the page went away under a command; the page itself is not the cause. */
const brokenBrowser =
  /^(?!.*crashed).*(Target closed|Session closed|Protocol error|frame was detached|main frame too early|Connection closed|Navigating frame)/is;

const triesBesides = 2;

/** The queue and the slots are puppeteer-cluster's; sessions, deadlines and repair are ours (docs/decisions/0015). */
export async function createBrowserPool(options: BrowserPoolOptions): Promise<BrowserPool> {
  const sessions = new SessionPool(options);
  // One more than a key may hold, so that a page of another key never waits for the pages of one key.
  const places = options.pages + 1;
  const cluster: Cluster<undefined, void> = await Cluster.launch({
    concurrency: slotConcurrency,
    maxConcurrency: places,
    timeout: 2 ** 31 - 1,
    puppeteer: {},
  });
  const load = { running: 0, waiting: 0 };
  const turns = new FairSemaphore({ width: places, perGroup: options.pages });

  /** A key without any page here may join a queue that others have filled, up to twice the queue's length. */
  function refuseIfFull(tenant: string): void {
    const isNew = turns.held(tenant) === 0 && turns.waiting(tenant) === 0;
    const queue = isNew ? 2 * options.queue : options.queue;
    if (load.running + load.waiting >= options.pages + queue)
      throw fail("overloaded", "Every browser page is busy and the queue is full. Try again soon.", {
        retry_after: 2,
      });
  }

  /** The cluster's own queue stays empty: it serves in the order of arrival and ignores whose page it is. */
  async function inSlot<T>(tenant: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    refuseIfFull(tenant);
    load.waiting += 1;
    const leave = await turns.acquire(tenant, signal).finally(() => {
      load.waiting -= 1;
    });
    load.running += 1;
    const outcome = Promise.withResolvers<T>();
    cluster
      .execute(() => work().then(outcome.resolve, outcome.reject))
      .catch(outcome.reject)
      .finally(() => {
        load.running -= 1;
        leave();
      });
    return await untilAborted(outcome.promise, signal);
  }

  async function attempt<T>(
    spec: LeaseSpec,
    signal: AbortSignal,
    task: (session: Session) => Promise<T>,
  ): Promise<T> {
    const session = await sessions.lease(spec);
    try {
      return await untilAborted(task(session), AbortSignal.any([signal, session.ended]));
    } catch (error) {
      session.spoiled = true;
      throw session.ended.aborted ? session.ended.reason : error;
    } finally {
      await sessions.giveBack(session);
    }
  }

  /** Starts a page again when its browser has ended under it: another page may have ended the browser. */
  async function persist<T>(
    spec: LeaseSpec,
    signal: AbortSignal,
    task: (session: Session) => Promise<T>,
  ): Promise<T> {
    for (let left = triesBesides; ; left--)
      try {
        return await attempt(spec, signal, task);
      } catch (error) {
        if (signal.aborted || left === 0 || !brokenBrowser.test(String(error))) throw error;
      }
  }

  return {
    run: (spec, signal, task) =>
      inSlot(spec.tenant, signal, () =>
        persist(spec, signal, task).catch(error => {
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

type ConcurrencyClass = Exclude<Parameters<typeof Cluster.launch>[0]["concurrency"], number | undefined>;
type Concurrency = InstanceType<ConcurrencyClass>;

/**
 * A concurrency implementation for puppeteer-cluster that hands out slots, not pages. The session for a slot depends on
 * the job, and puppeteer-cluster 0.25 loses a worker for good (and raises an unhandled rejection) when it gets no page.
 * It adds a listener to each page for each job, so the stand-in for the page ignores listeners.
 */
const slotConcurrency = class {
  async init(): Promise<void> {
    await Promise.resolve();
  }
  async close(): Promise<void> {
    await Promise.resolve();
  }
  async workerInstance() {
    const slot = { page: { on: () => undefined } as unknown as Page };
    const nothing = async () => undefined;
    return {
      jobInstance: async () => ({ resources: slot, close: nothing }),
      close: nothing,
      repair: nothing,
    };
  }
} as unknown as new (
  ...args: ConstructorParameters<ConcurrencyClass>
) => Concurrency;
