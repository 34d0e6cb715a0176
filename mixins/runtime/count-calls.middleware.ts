import type { Context, Middleware, ServiceBroker } from "moleculer";
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

  fail(begunAt: number, error: unknown): void {
    this.end(begunAt);
    const type = String(Object(error).type ?? Object(error).name);
    this.errors.set(type, (this.errors.get(type) ?? 0) + 1);
  }
}

/** Messages between nodes, in one direction. */
interface Packets {
  total: number;
  bytes: number;
}

/**
 * Counts calls and packets, under the names of Moleculer's own metrics, which are off: they hash four labels for each of
 * five metrics, and keep quantiles and rates, at a cost like that of a call within the process.
 */
export function countCalls(): Middleware {
  const byAction = new Map<string, Calls>();
  const sent: Packets = { total: 0, bytes: 0 };
  const received: Packets = { total: 0, bytes: 0 };
  const counted = (
    next: (ctx: Context) => Promise<unknown>,
    { name = "" }: { name?: string },
  ): typeof next => {
    const calls = byAction.get(name) ?? new Calls();
    byAction.set(name, calls);
    return ctx => {
      const begunAt = calls.begin();
      return next(ctx).then(
        result => {
          calls.end(begunAt);
          return result;
        },
        error => {
          calls.fail(begunAt, error);
          throw error;
        },
      );
    };
  };
  return {
    name: "CountCalls",
    created(broker: ServiceBroker) {
      for (const metric of [...callMetrics(byAction), ...packetMetrics({ sent, received })])
        addMetric(broker, metric);
    },
    localAction: counted,
    remoteAction: counted,
    transporterSend: (next: Transfer) => weighed(next, sent),
    transporterReceive: (next: Transfer) => weighed(next, received),
    // Moleculer declares what the last two return as what their functions return.
  } as unknown as Middleware;
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
