import { within } from "../async/timeout.ts";
import type { Egress } from "../egress/egress.ts";
import {
  type BrowserBinary,
  type BrowserProcess,
  BrowserUnavailable,
  closeBrowser,
  killGroup,
  launchBrowser,
  type Replacement,
} from "./browser-process.ts";
import { BrowserWatch } from "./browser-watch.ts";
import { listen, type OnError } from "./listen.ts";
import { isUsedUp, type PageBudget } from "./page-budget.ts";
import { cpuMsOf, wipe } from "./page-state.ts";
import { memoryOf } from "./process-usage.ts";
import { crash, type LeaseSpec, occupy, openRoom, renew, type Session, specKey } from "./session.ts";
import { SpareRoom } from "./spare-room.ts";

export interface SessionPoolOptions extends PageBudget {
  /** Called at each launch, so that the pool finds a browser that is installed later. */
  findBinary: () => Promise<BrowserBinary | undefined>;
  /** A folder for temporary files of this pool's browsers alone. */
  scratchRoot: string;
  egress: Egress;
  /** Receives errors of the browser that nothing here handles. */
  onError: OnError;
  /** Receives those that a page caused, which ends its session; without it `onError` does. */
  onPageFault?: OnError;
  /** Called when a browser has ended that was needed. */
  onReplaced?: (reason: Replacement) => void;
  /** Idle sessions that stay open for their tenant's next page. */
  maxIdle: number;
  /** Milliseconds without a page after which browsers end; `Infinity`: they stay. */
  idleMs: number;
  recycleAfterPages: number;
}

const wipeDeadlineMs = 2000;
const closeSessionDeadlineMs = 3000;
const idleMs = 30_000;
/** The first while a page is rendered, the second while none is. */
const watchEveryMs = 250;
const inspectEveryMs = 5000;

/** Lends sessions; starts, replaces and ends the browsers below them. */
export class SessionPool {
  readonly #options: SessionPoolOptions;
  readonly #idle: { session: Session; since: number }[] = [];
  /** Sessions that are being wiped, each until it is idle or closed. */
  readonly #cleaning = new Map<Session, Promise<unknown>>();
  readonly #browsers = new Set<BrowserProcess>();
  /** Browsers that end since nobody asks for pages. */
  readonly #unneeded = new WeakSet<BrowserProcess>();
  #launching: Promise<BrowserProcess> | undefined;
  #inspection: NodeJS.Timeout;
  #inspectedAt = performance.now();
  #usedAt = performance.now();
  readonly #watch: BrowserWatch;
  readonly #spare: SpareRoom;
  #closed = false;
  /** Why the last start of a browser failed; undefined when it succeeded. */
  problem: unknown;

  constructor(options: SessionPoolOptions) {
    this.#options = options;
    this.#watch = new BrowserWatch(options);
    this.#spare = new SpareRoom(this.#roomOptions());
    this.#inspection = this.#inspectLater();
  }

  /** Processes of the running browsers; for tests and metrics. */
  pids(): number[] {
    return [...this.#browsers].map(({ pid }) => pid);
  }

  memoryMb(): number {
    return this.pids().reduce((sum, pid) => sum + memoryOf(pid), 0);
  }

  /** Spares the first page a wait: starts a browser where browsers stay, and only looks for one where they end. */
  async prepare(): Promise<void> {
    if (this.#options.idleMs === Infinity) await this.#browser();
    else await this.#binary();
  }

  /** Has a room open in the running browser from now on, for the next tenant that has none. */
  async prepareRoom(): Promise<void> {
    const process = [...this.#browsers].find(({ retired }) => !retired);
    if (process && !this.#closed) await this.#spare.prepare(process);
  }

  #roomOptions(): { egress: Egress; onError: OnError } {
    const { egress, onError, onPageFault = onError } = this.#options;
    return { egress, onError: onPageFault };
  }

  async lease(spec: LeaseSpec): Promise<Session> {
    const session = this.#takeIdle(spec) ?? (await this.#takeCleaned(spec));
    if (session !== undefined) return this.#lend(session);
    const process = await this.#browser();
    process.leases += 1;
    try {
      const spare = spec.proxyUrl === undefined ? await this.#spare.take(process) : undefined;
      const room = spare ?? (await openRoom(process, spec, this.#roomOptions()));
      return this.#lend(await occupy(room, spec));
    } finally {
      process.leases -= 1;
    }
  }

  #takeIdle(spec: LeaseSpec): Session | undefined {
    const wanted = specKey(spec);
    const index = this.#idle.findLastIndex(({ session }) => session.specKey === wanted && isUsable(session));
    return index >= 0 ? this.#idle.splice(index, 1)[0]?.session : undefined;
  }

  /** Waits for a session that is being wiped for the same tenant: pages of one crawl share a context. */
  async #takeCleaned(spec: LeaseSpec): Promise<Session | undefined> {
    const own = [...this.#cleaning].filter(([session]) => session.specKey === specKey(spec));
    if (own.length === 0) return undefined;
    await within(wipeDeadlineMs, Promise.race(own.map(([, done]) => done)), () => undefined);
    return this.#takeIdle(spec);
  }

  /** Wipes or replaces the page and keeps the session for its tenant, or closes it. Settles when the slot is free. */
  async giveBack(session: Session): Promise<void> {
    const done = this.#tidy(session).finally(() => this.#cleaning.delete(session));
    if (isUsable(session)) this.#cleaning.set(session, done);
    await done;
  }

  async #tidy(session: Session): Promise<void> {
    const clean = isUsable(session) ? await this.#cleaned(session) : undefined;
    session.process.leases -= 1;
    this.#usedAt = performance.now();
    if (clean !== undefined && isUsable(clean) && !this.#closed)
      this.#idle.push({ session: clean, since: Date.now() });
    else await this.#throwAway(clean ?? Object.assign(session, { spoiled: true }));
    this.#trimIdle();
    this.#retireIfWorn(session.process);
    if (!this.#closed) void this.#spare.renew(session.process);
  }

  /** Undefined when the state of the page is unknown. */
  async #cleaned(session: Session): Promise<Session | undefined> {
    const cleaning = wipe(session).then(async isClean =>
      isClean && !(await this.#needsRenderer(session)) ? session : await renew(session),
    );
    return await within(wipeDeadlineMs, cleaning, () => undefined).catch(() => undefined);
  }

  /** Asks the page only where one of its browser's renderers was used up at the last sample: nothing shows which one is the page's. */
  async #needsRenderer(session: Session): Promise<boolean> {
    const isPossible = session.process.uses.some(
      ({ isRenderer, cpuMs }) => isRenderer && isUsedUp(cpuMs, this.#options),
    );
    return isPossible && isUsedUp(await cpuMsOf(session), this.#options);
  }

  /** Takes browsers that have ended out of use before their end is reported, so that the next lease starts another one. */
  replaceBroken(): void {
    for (const process of this.#browsers) if (!process.browser.connected) process.retired = true;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#inspection);
    await this.#launching?.catch(() => undefined);
    await this.#spare.close();
    await Promise.all(this.#idle.splice(0).map(({ session }) => session.proxy.close()));
    await Promise.all([...this.#browsers].map(closeBrowser));
  }

  #lend(session: Session): Session {
    session.process.leases += 1;
    session.process.pages += 1;
    clearTimeout(this.#inspection);
    this.#inspection = this.#inspectLater();
    return session;
  }

  async #binary(): Promise<BrowserBinary> {
    try {
      const binary = await this.#options.findBinary();
      if (binary !== undefined) return binary;
      throw new BrowserUnavailable("no browser on this machine");
    } catch (error) {
      if (error instanceof BrowserUnavailable) this.problem = error;
      throw error;
    }
  }

  /** The browser for new contexts. Callers share one launch. */
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
    const binary = await this.#binary();
    const process = await launchBrowser(binary, this.#options).catch(cause => {
      throw new BrowserUnavailable("the browser does not start", { cause });
    });
    this.#browsers.add(process);
    this.#usedAt = performance.now();
    this.#check();
    listen(process.browser, "disconnected", this.#options.onError, () => {
      process.retired = true;
      this.#browsers.delete(process);
      killGroup(process.pid);
      if (this.#closed || this.#unneeded.has(process)) return;
      this.#options.onReplaced?.(this.#isWorn(process) ? "worn" : "failed");
    });
    return process;
  }

  /**
   * A busy page keeps its context from closing, so the pool ends the page first. When the context still does not close in
   * time, its browser takes no more pages and ends with the last one.
   */
  async #throwAway(session: Session): Promise<void> {
    if (session.spoiled) crash(session);
    session.spoiled = true;
    const closed = session.close().then(() => true);
    if (!(await within(closeSessionDeadlineMs, closed, () => false).catch(() => false)))
      session.process.retired = true;
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
    if (this.#isWorn(process)) process.retired = true;
    if (process.retired && process.leases === 0) void closeBrowser(process);
  }

  #isWorn({ pages }: BrowserProcess): boolean {
    return pages >= this.#options.recycleAfterPages;
  }

  #inspectLater(): NodeJS.Timeout {
    const isShowing = [...this.#browsers].some(({ leases }) => leases > 0);
    const dueAt = this.#inspectedAt + (isShowing ? watchEveryMs : inspectEveryMs);
    return setTimeout(() => this.#inspect(), Math.max(0, dueAt - performance.now()));
  }

  #inspect(): void {
    this.#inspectedAt = performance.now();
    try {
      this.#trimIdle();
      this.#check();
    } catch (error) {
      this.#options.onError(error);
    }
    if (!this.#closed) this.#inspection = this.#inspectLater();
  }

  #check(): void {
    this.#watch.measure([...this.#browsers]);
    const isIdle = performance.now() - this.#usedAt > this.#options.idleMs;
    for (const process of this.#browsers) {
      if (isIdle && process.leases === 0 && !process.retired) {
        process.retired = true;
        this.#unneeded.add(process);
      }
      this.#retireIfWorn(process);
    }
  }
}

function isUsable({ spoiled, process, parts }: Session): boolean {
  return !spoiled && !process.retired && !parts.hadWorkers;
}
