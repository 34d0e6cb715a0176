import { setTimeout as sleep } from "node:timers/promises";
import { type Context, Errors, type Middleware, type Service, type ServiceBroker } from "moleculer";
import { logEvent } from "../log/log-events.ts";
import { addMetric, Distribution } from "./counters.ts";
import { Deadlines } from "./deadlines.ts";
import { type LoopWatch, watchLoop } from "./loop-watch.ts";
import type { Metric, Sample } from "./prometheus-text.ts";

/** The calls of one action. */
class Calls {
  readonly durations = new Distribution([0.001, 0.01, 0.1, 1, 10, 100]);
  readonly errors = new Map<string, number>();
  total = 0;
  active = 0;

  begin(): number {
    this.total += 1;
    this.active += 1;
    return performance.now();
  }

  /** Returns when it ended. */
  end(begunAt: number): number {
    const now = performance.now();
    this.active -= 1;
    this.durations.observe((now - begunAt) / 1000);
    return now;
  }

  failed(error: unknown): void {
    const type = String(Object(error).type ?? Object(error).name);
    this.errors.set(type, (this.errors.get(type) ?? 0) + 1);
  }
}

/** Between two checks of a service that stops. Calls follow on one another: it may be idle for a moment between two. */
const checkMs = 20;

/** The calls and events that a service has under way. */
class Running {
  #count = 0;

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
  }

  /** Resolves when two checks in a row have found none, or when the time is over, with the number of those that are left. */
  async left(ms: number): Promise<number> {
    const until = performance.now() + ms;
    let wasIdle = false;
    while (performance.now() < until) {
      const isIdle = this.#count === 0;
      if (isIdle && wasIdle) return 0;
      wasIdle = isIdle;
      await sleep(checkMs);
    }
    return this.#count;
  }
}

/** Messages between nodes, in one direction. */
interface Packets {
  total: number;
  bytes: number;
}

type Handler = (ctx: Context) => Promise<unknown>;

/** An action or an event as Moleculer knows it. */
interface Known {
  name?: string;
  timeout?: number;
  service: Service;
}

/**
 * Ends calls at their deadlines, counts them, reports what blocked the event loop, and lets a service that stops wait for
 * its running calls. Replaces Moleculer's timeout, metrics and tracking middlewares, which make ten promises a call
 * (docs/decisions/0188). The names of the metrics are the same; Moleculer's own are off, since they hash four labels for
 * each of five metrics. `isRetry` recognises a further try of a call that is already counted.
 */
export function superviseCalls(isRetry: (ctx: Context) => boolean): Middleware {
  const byAction = new Map<string, Calls>();
  const byService = new WeakMap<Service, Running>();
  const sent: Packets = { total: 0, bytes: 0 };
  const received: Packets = { total: 0, bytes: 0 };
  /** Counts further tries, which nothing shows: a call counts once. */
  const uncounted = new Calls();
  const deadlines = new Deadlines();
  let broker: ServiceBroker;
  let loop: LoopWatch;

  const runningIn = (service: Service): Running => {
    const known = byService.get(service) ?? new Running();
    byService.set(service, known);
    return known;
  };
  /** `running`: that of the service; undefined for one on another node, whose own matter it is. */
  const call = (next: Handler, { name = "", timeout }: Known, running?: Running): Handler => {
    const isLocal = running !== undefined;
    const calls = byAction.get(name) ?? new Calls();
    byAction.set(name, calls);
    return ctx => {
      const ms = startClock(ctx, timeout ?? broker.options.requestTimeout ?? 0);
      const tracked = ctx.options.tracking === false ? undefined : running;
      const counts = isRetry(ctx) ? uncounted : calls;
      const begunAt = counts.begin();
      if (isLocal) loop.begins(ctx, begunAt);
      tracked?.begin();
      return new Promise((resolve, reject) => {
        let isLate = false;
        const giveUp = () => {
          const error = late(ctx, name, ms);
          // What runs here still runs. Of what was sent to another node nothing may ever come back.
          if (!isLocal) end();
          isLate = true;
          counts.failed(error);
          reject(error);
        };
        const deadline = ms > 0 ? deadlines.add(ms, giveUp) : undefined;
        const end = () => {
          if (isLate && !isLocal) return;
          deadline?.clear();
          loop.ends(ctx, counts.end(begunAt));
          tracked?.end();
        };
        promised(next, ctx).then(
          result => {
            end();
            resolve(result);
          },
          error => {
            end();
            if (!isLate) counts.failed(error);
            reject(error);
          },
        );
      });
    };
  };
  return {
    name: "SuperviseCalls",
    created(owner: ServiceBroker) {
      broker = owner;
      loop = watchLoop(owner);
      for (const metric of [...callMetrics(byAction), ...packetMetrics({ sent, received })])
        addMetric(broker, metric);
    },
    localAction: (next: Handler, action: Known) => call(next, action, runningIn(action.service)),
    remoteAction: (next: Handler, action: Known) => call(next, action),
    localEvent(next: Handler, { service }: Known): Handler {
      const running = runningIn(service);
      return ctx => {
        running.begin();
        loop.begins(ctx, performance.now());
        return promised(next, ctx).finally(() => running.end());
      };
    },
    async started() {
      // A REPL has no service: what it is busy with holds nobody up.
      if (broker.services.some(({ name }) => !name.startsWith("$"))) loop.start();
    },
    async stopped() {
      loop.stop();
    },
    async serviceStopping(service: Service) {
      const left = await runningIn(service).left(broker.options.tracking?.shutdownTimeout ?? 0);
      if (left > 0) logEvent(broker.logger, "service_drain.failed", { service: service.name, left });
    },
    transporterSend: (next: Transfer) => weighed(next, sent),
    transporterReceive: (next: Transfer) => weighed(next, received),
    // Moleculer declares what the last two return as what their functions return.
  } as unknown as Middleware;
}

/** What a handler throws at once rejects like the rest. */
function promised(next: Handler, ctx: Context): Promise<unknown> {
  try {
    return next(ctx);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Notes when a call began, so that calls within it have what is left, and answers its milliseconds; 0 is any time. */
function startClock(ctx: Context, usual: number): number {
  const { options } = ctx;
  options.timeout ??= usual;
  if (options.timeout > 0) ctx.startHrTime ??= process.hrtime();
  return options.timeout;
}

/** Logs the lateness; the error for the caller. */
function late({ broker, nodeID, requestID }: Context, action: string, timeout: number): Error {
  logEvent(broker.logger, "call.timed_out", { action, nodeID, requestID, timeout });
  return new Errors.RequestTimeoutError({ action, nodeID: nodeID ?? "" });
}

type Transfer = (name: string, data: Buffer | undefined, ...rest: unknown[]) => unknown;

function weighed(next: Transfer, packets: Packets): Transfer {
  return function weigh(this: unknown, name, data, ...rest) {
    packets.total += 1;
    packets.bytes += data?.length ?? 0;
    return next.call(this, name, data, ...rest);
  };
}

function packetMetrics(ways: Record<"sent" | "received", Packets>): Metric[] {
  const type = "counter";
  return Object.entries(ways).flatMap(([way, packets]) => [
    {
      name: `moleculer_transporter_packets_${way}_total`,
      type,
      description: `Packets ${way}`,
      snapshot: () => [{ value: packets.total }],
    },
    {
      name: `moleculer_transporter_packets_${way}_bytes_total`,
      type,
      description: `Bytes of the packets ${way}`,
      snapshot: () => [{ value: packets.bytes }],
    },
  ]);
}

function callMetrics(byAction: Map<string, Calls>): Metric[] {
  const each = (samples: (calls: Calls, labels: { action: string }) => Sample[]) => () =>
    [...byAction].flatMap(([action, calls]) => (calls.total > 0 ? samples(calls, { action }) : []));
  return [
    {
      name: "moleculer_request_total",
      type: "counter",
      description: "Calls of actions",
      snapshot: each(({ total }, labels) => [{ labels, value: total }]),
    },
    {
      name: "moleculer_request_active",
      type: "gauge",
      description: "Calls that are running",
      snapshot: each(({ active }, labels) => [{ labels, value: active }]),
    },
    {
      name: "moleculer_request_error_total",
      type: "counter",
      description: "Calls that failed",
      snapshot: each(({ errors }, labels) =>
        [...errors].map(([error_type, value]) => ({ labels: { ...labels, error_type }, value })),
      ),
    },
    {
      name: "moleculer_request_duration_seconds",
      type: "histogram",
      description: "Seconds that calls took",
      snapshot: each(({ durations }, labels) => [durations.sample(labels)]),
    },
  ];
}
