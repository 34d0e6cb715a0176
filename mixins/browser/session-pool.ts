import type { Egress } from "../egress/egress.ts";
import { type BrowserProcess, closeBrowser, killGroup, launchBrowser, memoryOf } from "./browser-process.ts";
import type { BrowserBinary } from "./find-browser.ts";
import { type LeaseSpec, openSession, type Session, specKey, wipe } from "./session.ts";

export interface SessionPoolOptions {
  /** Looked for again at each launch, so that a browser installed later is found. */
  findBinary: () => Promise<BrowserBinary | undefined>;
  /** Where the browsers of this pool alone keep what does not outlive them. */
  scratchRoot: string;
  egress: Egress;
  /** Idle sessions that are kept open for their tenant's next page. */
  maxIdle: number;
  recycleAfterPages: number;
  maxMemoryMb: number;
}

const wipeDeadlineMs = 2000;
const closeSessionDeadlineMs = 3000;
const idleMs = 30_000;
const inspectEveryMs = 5000;

/** No browser on the machine, or it does not start. */
export class BrowserUnavailable extends Error {}

/** Lends sessions; starts, replaces and ends the browsers below them. */
export class SessionPool {
  readonly #options: SessionPoolOptions;
  readonly #idle: { session: Session; since: number }[] = [];
  readonly #browsers = new Set<BrowserProcess>();
  #launching: Promise<BrowserProcess> | undefined;
  #inspection: NodeJS.Timeout;
  #closed = false;
  /** Why the last start of a browser failed; undefined when it did not. */
  problem: unknown;

  constructor(options: SessionPoolOptions) {
    this.#options = options;
    this.#inspection = setInterval(() => this.#inspect(), inspectEveryMs);
  }

  /** Processes of the running browsers; for tests and metrics. */
  pids(): number[] {
    return [...this.#browsers].map(({ pid }) => pid);
  }

  memoryMb(): number {
    return this.pids().reduce((sum, pid) => sum + memoryOf(pid), 0);
  }

  /** Starts a browser if none runs, so that the first page need not wait for it. */
  async warm(): Promise<void> {
    await this.#browser();
  }

  async lease(spec: LeaseSpec): Promise<Session> {
    const wanted = specKey(spec);
    const index = this.#idle.findLastIndex(({ session }) => session.specKey === wanted && isUsable(session));
    const session = index >= 0 ? this.#idle.splice(index, 1)[0]?.session : undefined;
    if (session !== undefined) return this.#lend(session);
    const process = await this.#browser();
    process.leases += 1;
    try {
      const opened = await openSession(process, spec, this.#options.egress);
      process.leases -= 1;
      return this.#lend(opened);
    } catch (error) {
      process.leases -= 1;
      throw error;
    }
  }

  /** Takes a session back: wiped and kept for the same tenant, or thrown away. Settles when the slot is free again. */
  async giveBack(session: Session): Promise<void> {
    if (!session.spoiled)
      await within(wipeDeadlineMs, wipe(session)).catch(() => Object.assign(session, { spoiled: true }));
    session.process.leases -= 1;
    if (isUsable(session) && !this.#closed) this.#idle.push({ session, since: Date.now() });
    else await this.#throwAway(session);
    this.#trimIdle();
    this.#retireIfWorn(session.process);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#inspection);
    await this.#launching?.catch(() => undefined);
    await Promise.all(this.#idle.splice(0).map(({ session }) => session.lane.close()));
    await Promise.all([...this.#browsers].map(closeBrowser));
  }

  #lend(session: Session): Session {
    session.process.leases += 1;
    session.process.pages += 1;
    return session;
  }

  /** The browser for new contexts; one launch at a time, whoever asks. */
  async #browser(): Promise<BrowserProcess> {
    for (const process of this.#browsers) if (!process.retired) return process;
    this.#launching ??= this.#launch().finally(() => {
      this.#launching = undefined;
    });
    try {
      const launched = await this.#launching;
      this.problem = undefined;
      return launched;
    } catch (error) {
      this.problem = error;
      throw error;
    }
  }

  async #launch(): Promise<BrowserProcess> {
    if (this.#closed) throw new BrowserUnavailable("the browser pool is closed");
    const binary = await this.#options.findBinary();
    if (binary === undefined) throw new BrowserUnavailable("no browser on this machine");
    const process = await launchBrowser(binary, this.#options.scratchRoot).catch(cause => {
      throw new BrowserUnavailable("the browser does not start", { cause });
    });
    this.#browsers.add(process);
    process.browser.once("disconnected", () => {
      process.retired = true;
      this.#browsers.delete(process);
      killGroup(process.pid);
    });
    return process;
  }

  /** A context that does not close in time takes its browser with it: a hung page must not stay. */
  async #throwAway(session: Session): Promise<void> {
    await within(closeSessionDeadlineMs, session.close()).catch(() => {
      session.process.retired = true;
      killGroup(session.process.pid);
    });
  }

  #trimIdle(now = Date.now()): void {
    const stale = this.#idle.filter(
      ({ session, since }, index) =>
        !isUsable(session) || now - since > idleMs || index < this.#idle.length - this.#options.maxIdle,
    );
    for (const entry of stale) {
      this.#idle.splice(this.#idle.indexOf(entry), 1);
      void this.#throwAway(entry.session).then(() => this.#retireIfWorn(entry.session.process));
    }
  }

  #retireIfWorn(process: BrowserProcess): void {
    if (process.pages >= this.#options.recycleAfterPages) process.retired = true;
    if (process.retired && process.leases === 0) void closeBrowser(process);
  }

  #inspect(): void {
    this.#trimIdle();
    for (const process of this.#browsers) {
      const memoryMb = memoryOf(process.pid);
      if (memoryMb > this.#options.maxMemoryMb) process.retired = true;
      if (memoryMb > 2 * this.#options.maxMemoryMb) killGroup(process.pid);
      this.#retireIfWorn(process);
    }
  }
}

function isUsable({ spoiled, process }: Session): boolean {
  return !spoiled && !process.retired;
}

async function within<T>(deadlineMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${deadlineMs} ms`)), deadlineMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
