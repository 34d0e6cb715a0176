import type { Page } from "puppeteer";
import type { Cluster } from "puppeteer-cluster";
import { untilAborted } from "../async/timeout.ts";
import { BrowserUnavailable, isBrokenBrowser } from "./browser-process.ts";
import type { LeaseSpec, Session } from "./session.ts";
import type { SessionPool } from "./session-pool.ts";

/** What a job needs. The session of a job whose signal has fired is not leased again. */
export interface Need {
  spec: LeaseSpec;
  signal: AbortSignal;
}

/** The part of the session pool that the cluster uses. */
type Sessions = Pick<SessionPool, "lease" | "giveBack" | "replaceBroken">;

/**
 * Runs jobs by puppeteer-cluster. A worker is a place for one page; for each job it leases a session, has the browser
 * replaced where that fails, and gives the session back. Which key gets the next place is decided before a job comes here
 * (docs/decisions/0226).
 */
export class SessionCluster {
  readonly #sessions: Sessions;
  readonly #places: number;
  /** Each belongs to a job in the cluster's queue, in the same order. */
  readonly #needs: Need[] = [];
  readonly #closing = new AbortController();
  #cluster: Promise<Cluster<undefined, void>> | undefined;

  constructor(sessions: Sessions, places: number) {
    this.#sessions = sessions;
    this.#places = places;
  }

  /** Runs a job in a session. Settles when the session is given back; rejects with the error of the lease or the job. */
  async run(need: Need, job: (session: Session) => Promise<void>): Promise<void> {
    const { signal } = this.#closing;
    signal.throwIfAborted();
    this.#cluster ??= openCluster(this.#places, () => this.#openWorker());
    const cluster = await this.#cluster;
    this.#needs.push(need);
    await untilAborted(
      cluster.execute(({ page }) => job(sessionOf(page))),
      signal,
    );
  }

  /** Ends what waits in the cluster: a closed one would never run it. */
  async close(): Promise<void> {
    this.#closing.abort(new BrowserUnavailable("the browser pool is closed"));
    await (await this.#cluster)?.close();
  }

  /** A worker takes a job from the queue and asks for its job instance in one step, so the first need is that job's. */
  #openWorker(): Worker {
    let job: Lease | undefined;
    return {
      jobInstance: async () => {
        job ??= new Lease(this.#sessions, this.#needs.shift());
        const taken = job;
        const page = (await taken.take()) as unknown as Page;
        return {
          resources: { page },
          close: () => {
            job = undefined;
            return taken.end();
          },
        };
      },
      repair: async () => this.#sessions.replaceBroken(),
      close: async () => undefined,
    };
  }
}

const maxRepairs = 2;

/** What puppeteer-cluster calls a page: it passes it to the job, and listens for a crash. */
interface Place {
  /** Undefined when no session could be leased. */
  session: Session | undefined;
  failure: unknown;
  on(event: "error", listener: (reason: Error) => void): void;
}

function sessionOf(page: Page): Session {
  const { session, failure } = page as unknown as Place;
  if (session === undefined) throw failure;
  return session;
}

/** The session of one job. */
class Lease {
  readonly #sessions: Sessions;
  readonly #need: Need | undefined;
  readonly #ended = new AbortController();
  #repairs = 0;
  #session: Session | undefined;

  constructor(sessions: Sessions, need: Need | undefined) {
    this.#sessions = sessions;
    this.#need = need;
  }

  /**
   * Rejects when the browser ended meanwhile: the cluster repairs its worker, and asks again. Any other error is the job's
   * to report: puppeteer-cluster 0.25 would try ten times at once, then lose the worker for good and end the process with an
   * unhandled rejection.
   */
  async take(): Promise<Place> {
    try {
      if (this.#need === undefined) throw new Error("a job of the browser cluster needs no session");
      this.#session = await this.#sessions.lease(this.#need.spec);
      return this.#place(undefined);
    } catch (failure) {
      if (this.#repairs < maxRepairs && !this.#need?.signal.aborted && isBrokenBrowser(failure)) {
        this.#repairs += 1;
        throw failure;
      }
      return this.#place(failure);
    }
  }

  async end(): Promise<void> {
    this.#ended.abort();
    if (this.#session !== undefined) await this.#sessions.giveBack(this.#session);
  }

  #place(failure: unknown): Place {
    const session = this.#session;
    const { signal } = this.#ended;
    return {
      session,
      failure,
      on: (_, listener) =>
        session?.ended.addEventListener("abort", () => listener(session.ended.reason), {
          once: true,
          signal,
        }),
    };
  }
}

type ConcurrencyClass = Exclude<Parameters<typeof Cluster.launch>[0]["concurrency"], number | undefined>;
type Worker = Awaited<ReturnType<InstanceType<ConcurrencyClass>["workerInstance"]>>;

/** Loaded with the first page, as Puppeteer is: together they have a hundred and fifty modules. */
async function openCluster(places: number, openWorker: () => Worker): Promise<Cluster<undefined, void>> {
  const { Cluster } = await import("puppeteer-cluster");
  const concurrency = class {
    init = async () => undefined;
    close = async () => undefined;
    workerInstance = async () => openWorker();
  };
  return await Cluster.launch({
    concurrency: concurrency as unknown as ConcurrencyClass,
    maxConcurrency: places,
    // A job has a deadline of its own, at which its session is still given back.
    timeout: 2 ** 31 - 1,
    // Sessions start the browsers.
    puppeteer: {},
  });
}
