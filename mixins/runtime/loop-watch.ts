import type { Context, ServiceBroker } from "moleculer";
import { logEvent } from "../log/log-events.ts";
import { histogramOf } from "./counters.ts";

/** Milliseconds between two signs of life of the event loop. */
const beatMs = 50;
const heldMs = 200;

/** Whether a call began or continued, or one ended whose caller is not known. */
type Place = "in" | "after";

/**
 * Sees what holds the event loop: nothing else runs meanwhile, for anybody. A timer that comes late shows that something
 * did. What it was is what began or ended before the longest time in which no call began or ended: so each call notes both
 * here, which costs a comparison and no timer of its own. What runs without a call, such as a timer, is named by the call that
 * ended before it since the last beat, if any.
 */
export class LoopWatch {
  readonly #report: (held: Held) => void;
  #timer: NodeJS.Timeout | undefined;
  #beatAt = 0;
  #cpuAt = 0;
  /** What runs since `#since`. */
  #place: Place = "in";
  #ctx: Context | undefined;
  #since = 0;
  /** What ran longest since the last beat. */
  #longest: { place: Place; ctx: Context | undefined; ms: number } = nothing;

  constructor(report: (held: Held) => void) {
    this.#report = report;
  }

  start(): void {
    this.#tick(performance.now());
    this.#timer = setInterval(() => this.#beat(), beatMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A call or an event begins here. `now` is that of `performance.now()`. */
  begins(ctx: Context, now: number): void {
    this.#runs("in", ctx, now);
  }

  /** A call has ended, and what called it continues. */
  ends(ctx: Context, now: number): void {
    const { parentCtx } = ctx.options as { parentCtx?: Context | null };
    if (parentCtx) this.#runs("in", parentCtx, now);
    else this.#runs("after", ctx, now);
  }

  #runs(place: Place, ctx: Context | undefined, now: number): void {
    const ms = now - this.#since;
    if (ms > this.#longest.ms) this.#longest = { place: this.#place, ctx: this.#ctx, ms };
    this.#place = place;
    this.#ctx = ctx;
    this.#since = now;
  }

  #beat(): void {
    const now = performance.now();
    const ms = now - this.#beatAt;
    if (ms > heldMs) {
      this.#runs("in", undefined, now);
      const { ctx, place, ms: longestMs } = this.#longest;
      const times = { ms, cpuMs: cpuMs() - this.#cpuAt, longestMs };
      this.#report({ ...rounded(times), ...(ctx && describe(place, ctx)) });
    }
    this.#tick(now);
  }

  #tick(now: number): void {
    this.#beatAt = now;
    this.#cpuAt = cpuMs();
    this.#ctx = undefined;
    this.#since = now;
    this.#longest = nothing;
  }
}

const nothing = { place: "in", ctx: undefined, ms: 1 } as const;

function rounded<Times extends Record<string, number>>(times: Times): Times {
  return Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, Math.round(ms)])) as Times;
}

/** The event loop was held. */
interface Held {
  /** At most a beat too long. */
  ms: number;
  /** Processor time of this thread meanwhile: far less than `ms` where the machine gave it none, or a disk was waited for. */
  cpuMs: number;
  /** How long the part took that is named here. */
  longestMs: number;
  /** What ran. */
  action?: string;
  /** What ended before it ran. */
  after?: string;
  /** The event of the bus that was handled. */
  eventName?: string;
  /** Method and path of the route, for an HTTP request. */
  route?: string;
  keyId?: string;
  requestID?: string;
}

/** Processor time of this thread. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** What the gateway's requests have, and many parameters. */
interface Params {
  req?: { method?: string; match?: { route: { path: string } }; admission?: { caller?: { keyId: string } } };
  keyId?: unknown;
}

function describe(place: Place, ctx: Context): Partial<Held> {
  const { action, eventName, requestID } = ctx;
  const { req, keyId } = Object(ctx.params) as Params;
  const { caller } = ctx.meta as { caller?: { keyId: string } };
  const known = caller?.keyId ?? req?.admission?.caller?.keyId ?? keyId;
  const name = action?.name;
  return {
    ...(name !== undefined && (place === "in" ? { action: name } : { after: name })),
    ...(eventName && { eventName }),
    ...(req && { route: `${req.method} ${req.match?.route.path ?? "unmatched"}` }),
    ...(typeof known === "string" && { keyId: known }),
    ...(requestID && { requestID }),
  };
}

/** Logs what holds the loop of a node, and counts it. */
export function watchLoop(broker: ServiceBroker): LoopWatch {
  const seconds = histogramOf(broker, {
    name: "magpie_event_loop_blocked_seconds",
    description: "How long the event loop was held, where it was for more than 200 ms",
    bounds: [0.5, 1, 2.5, 5, 10, 30, 60],
  });
  return new LoopWatch(held => {
    seconds.observe(held.ms / 1000);
    logEvent(broker.logger, "event_loop.blocked", held);
  });
}
