import { setTimeout as sleep } from "node:timers/promises";
import { type Context, Errors, type Middleware, type Service, type ServiceBroker } from "moleculer";
import { addMetric, Distribution } from "./counters.ts";
import type { Metric, Sample } from "./prometheus-text.ts";

/** The calls of one action. */
class Calls {
  readonly durations = new Distribution([1, 10, 100, 1000, 10_000, 100_000]);
  readonly errors = new Map<string, number>();
  total = 0;
  active = 0;

  begin(): number {
    this.total += 1;
    this.active += 1;
    return performance.now();
  }

  end(begunAt: number): void {
    this.active -= 1;
    this.durations.observe(performance.now() - begunAt);
  }

  failed(error: unknown): void {
    const type = String(Object(error).type ?? Object(error).name);
    this.errors.set(type, (this.errors.get(type) ?? 0) + 1);
  }
}

/** Between two looks at a service that stops. Calls follow on one another: it may be idle for a moment between two. */
const lookMs = 20;

/** The calls and events that a service has under way. */
class UnderWay {
  #count = 0;

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
  }

  /** Resolves when two looks in a row have found none, or when the time is over, with the number of those that are left. */
  async left(ms: number): Promise<number> {
    const until = performance.now() + ms;
    let wasIdle = false;
    while (performance.now() < until) {
      const isIdle = this.#count === 0;
      if (isIdle && wasIdle) return 0;
      wasIdle = isIdle;
      await sleep(lookMs);
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
 * Every call has a deadline and is counted, and a service that stops waits for what it has under way. In place of Moleculer's
 * own middlewares for that, which make ten promises a call (docs/decisions/0188), and under the names of its metrics, which
 * are off: they hash four labels for each of five metrics.
 */
export function superviseCalls(): Middleware {
  const byAction = new Map<string, Calls>();
  const byService = new WeakMap<Service, UnderWay>();
  const sent: Packets = { total: 0, bytes: 0 };
  const received: Packets = { total: 0, bytes: 0 };
  let broker: ServiceBroker;

  const underWayIn = (service: Service): UnderWay => {
    const known = byService.get(service) ?? new UnderWay();
    byService.set(service, known);
    return known;
  };
  /** `underWay`: that of the service; another node's are its own matter. */
  const call = (next: Handler, { name = "", timeout }: Known, underWay?: UnderWay): Handler => {
    const calls = byAction.get(name) ?? new Calls();
    byAction.set(name, calls);
    return ctx => {
      const ms = startClock(ctx, timeout ?? broker.options.requestTimeout ?? 0);
      const tracked = ctx.options.tracking === false ? undefined : underWay;
      const begunAt = calls.begin();
      tracked?.begin();
      return new Promise((resolve, reject) => {
        let isLate = false;
        const giveUp = () => {
          const error = late(ctx, name, ms);
          // What runs here still runs. Of what was sent to another node nothing may ever come back.
          if (!underWay) end();
          isLate = true;
          calls.failed(error);
          reject(error);
        };
        const timer = ms > 0 ? setTimeout(giveUp, ms) : undefined;
        const end = () => {
          if (isLate && !underWay) return;
          clearTimeout(timer);
          calls.end(begunAt);
          tracked?.end();
        };
        begin(next, ctx).then(
          result => {
            end();
            resolve(result);
          },
          error => {
            end();
            if (!isLate) calls.failed(error);
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
      for (const metric of [...callMetrics(byAction), ...packetMetrics({ sent, received })])
        addMetric(broker, metric);
    },
    localAction: (next: Handler, action: Known) => call(next, action, underWayIn(action.service)),
    remoteAction: (next: Handler, action: Known) => call(next, action),
    localEvent(next: Handler, { service }: Known): Handler {
      const underWay = underWayIn(service);
      return ctx => {
        underWay.begin();
        return begin(next, ctx).finally(() => underWay.end());
      };
    },
    async serviceStopping(service: Service) {
      const left = await underWayIn(service).left(broker.options.tracking?.shutdownTimeout ?? 0);
      if (left > 0) broker.logger.error("service.not_drained", { service: service.name, left });
    },
    transporterSend: (next: Transfer) => weighed(next, sent),
    transporterReceive: (next: Transfer) => weighed(next, received),
    // Moleculer declares what the last two return as what their functions return.
  } as unknown as Middleware;
}

/** What a handler throws at once rejects like the rest. */
function begin(next: Handler, ctx: Context): Promise<unknown> {
  try {
    return next(ctx);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** The milliseconds that a call has, 0 for any time. Calls that are made in it have what is left of them. */
function startClock(ctx: Context, usual: number): number {
  const { options } = ctx;
  options.timeout ??= usual;
  if (options.timeout > 0) ctx.startHrTime ??= process.hrtime();
  return options.timeout;
}

function late({ broker, nodeID, requestID }: Context, action: string, timeout: number): Error {
  broker.logger.warn("call.late", { action, nodeID, requestID, timeout });
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
      name: `moleculer.transporter.packets.${way}.total`,
      type,
      description: `Packets ${way}`,
      snapshot: () => [{ value: packets.total }],
    },
    {
      name: `moleculer.transporter.packets.${way}.bytes`,
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
      name: "moleculer.request.total",
      type: "counter",
      description: "Calls of actions",
      snapshot: each(({ total }, labels) => [{ labels, value: total }]),
    },
    {
      name: "moleculer.request.active",
      type: "gauge",
      description: "Calls that are running",
      snapshot: each(({ active }, labels) => [{ labels, value: active }]),
    },
    {
      name: "moleculer.request.error.total",
      type: "counter",
      description: "Calls that failed",
      snapshot: each(({ errors }, labels) =>
        [...errors].map(([errorType, value]) => ({ labels: { ...labels, errorType }, value })),
      ),
    },
    {
      name: "moleculer.request.time",
      type: "histogram",
      description: "Milliseconds that calls took",
      snapshot: each(({ durations }, labels) => [durations.sample(labels)]),
    },
  ];
}
