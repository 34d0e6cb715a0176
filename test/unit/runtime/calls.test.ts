import { setImmediate as yieldToLoop } from "node:timers/promises";
import {
  type ActionSchema,
  type BrokerOptions,
  type Context,
  type Middleware,
  ServiceBroker,
} from "moleculer";
import { superviseCalls } from "../../../mixins/runtime/calls.middleware.ts";
import { exposition } from "../../../mixins/runtime/metrics.ts";

const linesOf = async (broker: ServiceBroker, name: string) =>
  (await exposition(broker)).split("\n").filter(line => line.startsWith(name));

test("calls are counted by action, with what runs, what failed and how long it took", async () => {
  const broker = new ServiceBroker({ logger: false, middlewares: [superviseCalls(() => false)] });
  const { promise, resolve } = Promise.withResolvers<void>();
  broker.createService({
    name: "sums",
    actions: {
      wait: () => promise,
      fail: () => Promise.reject(Object.assign(new Error("away"), { type: "overloaded" })),
    },
  });
  await broker.start();
  try {
    const running = broker.call("sums.wait");
    await expect(broker.call("sums.fail")).rejects.toThrow("away");
    expect(await linesOf(broker, 'moleculer_request_active{action="sums.wait"}')).toEqual([
      'moleculer_request_active{action="sums.wait"} 1',
    ]);
    resolve();
    await running;
    expect(await linesOf(broker, 'moleculer_request_active{action="sums.wait"}')).toEqual([
      'moleculer_request_active{action="sums.wait"} 0',
    ]);
    expect(await linesOf(broker, 'moleculer_request_total{action="sums')).toEqual([
      'moleculer_request_total{action="sums.wait"} 1',
      'moleculer_request_total{action="sums.fail"} 1',
    ]);
    expect(await linesOf(broker, "moleculer_request_error_total{")).toEqual([
      'moleculer_request_error_total{action="sums.fail",error_type="overloaded"} 1',
    ]);
    expect(await linesOf(broker, 'moleculer_request_duration_seconds_count{action="sums.wait"}')).toEqual([
      'moleculer_request_duration_seconds_count{action="sums.wait"} 1',
    ]);
  } finally {
    await broker.stop();
  }
});

test("packets are counted in both directions, and travel as they are", async () => {
  const counting = superviseCalls(() => false);
  const broker = new ServiceBroker({ logger: false, middlewares: [counting] });
  const { transporterSend, transporterReceive } = counting as Required<Middleware> & {
    transporterSend(next: unknown): (...args: unknown[]) => unknown;
    transporterReceive(next: unknown): (...args: unknown[]) => unknown;
  };
  const seen: unknown[] = [];
  const next = (...args: unknown[]) => seen.push(args);
  const bytes = Buffer.from("packet");
  transporterSend(next)("MOL.REQ", bytes, {});
  transporterReceive(next)("REQ", bytes);
  transporterReceive(next)("PING", undefined);
  expect(seen).toEqual([
    ["MOL.REQ", bytes, {}],
    ["REQ", bytes],
    ["PING", undefined],
  ]);
  expect(await linesOf(broker, "moleculer_transporter")).toEqual([
    "moleculer_transporter_packets_sent_total 1",
    "moleculer_transporter_packets_sent_bytes_total 6",
    "moleculer_transporter_packets_received_total 2",
    "moleculer_transporter_packets_received_bytes_total 6",
  ]);
});

/** Nothing of Moleculer's own supervises these calls. */
function supervised(options: BrokerOptions = {}): ServiceBroker {
  return new ServiceBroker({
    logger: false,
    internalMiddlewares: false,
    middlewares: [superviseCalls(() => false), "ErrorHandler"],
    ...options,
  });
}

const activeOf = async (broker: ServiceBroker) =>
  (await linesOf(broker, 'moleculer_request_active{action="sums.wait"}'))[0]?.split(" ").at(-1);

test("a late call is refused at its deadline, and counts as running until it ends", async () => {
  const broker = supervised({ requestTimeout: 20 });
  const { promise, resolve } = Promise.withResolvers<void>();
  broker.createService({ name: "sums", actions: { wait: () => promise } });
  await broker.start();
  try {
    await expect(broker.call("sums.wait")).rejects.toMatchObject({
      type: "REQUEST_TIMEOUT",
      code: 504,
      data: { action: "sums.wait" },
    });
    expect(await activeOf(broker)).toBe("1");
    resolve();
    await promise;
    expect(await activeOf(broker)).toBe("0");
    expect(await linesOf(broker, "moleculer_request_error_total{")).toEqual([
      'moleculer_request_error_total{action="sums.wait",error_type="REQUEST_TIMEOUT"} 1',
    ]);
  } finally {
    await broker.stop();
  }
});

test("the deadline is the caller's, else the action's; a call in a call has what is left", async () => {
  const broker = supervised({ requestTimeout: 7000 });
  const given = (ctx: Context) => ctx.options.timeout;
  broker.createService({
    name: "sums",
    actions: {
      usual: given,
      // Moleculer's types leave out that an action may have a timeout.
      own: { timeout: 3000, handler: given } as ActionSchema,
      any: { timeout: 0, handler: given } as ActionSchema,
      inner: (ctx: Context) => ctx.call("sums.own", {}, { timeout: 6000 }),
    },
  });
  await broker.start();
  try {
    expect(await broker.call("sums.usual")).toBe(7000);
    expect(await broker.call("sums.own")).toBe(3000);
    expect(await broker.call("sums.own", {}, { timeout: 6000 })).toBe(6000);
    expect(await broker.call("sums.any")).toBe(0);
    expect(await broker.call("sums.inner", {}, { timeout: 5000 })).toBeLessThanOrEqual(5000);
  } finally {
    await broker.stop();
  }
});

test("what a handler throws at once rejects, and nothing is left running", async () => {
  const throws = () => {
    throw new Error("at once");
  };
  const broker = supervised({
    middlewares: [{ name: "Throws", localAction: () => throws }, superviseCalls(() => false), "ErrorHandler"],
  });
  broker.createService({ name: "sums", actions: { wait: () => 1 } });
  await broker.start();
  try {
    await expect(broker.call("sums.wait")).rejects.toThrow("at once");
    expect(await activeOf(broker)).toBe("0");
  } finally {
    await broker.stop();
  }
});

describe("a service that stops", () => {
  function stopping({ shutdownTimeout = 10_000, tracking = true } = {}) {
    const reached = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<void>();
    const order: string[] = [];
    const wait = async () => {
      await promise;
      order.push("ended");
    };
    const broker = supervised({
      tracking: { shutdownTimeout },
      // Hooks of a stop run from the last to the first.
      middlewares: [
        superviseCalls(() => false),
        "ErrorHandler",
        { name: "Reached", serviceStopping: async () => reached.resolve() },
      ],
    });
    broker.createService({
      name: "sums",
      actions: { wait },
      events: { "sums.asked": wait },
      stopped: async () => void order.push("stopped"),
    });
    /** Stops, and ends the work once the stop has reached the service and would have closed it. */
    const stop = async () => {
      const stopped = broker.stop();
      await reached.promise;
      await yieldToLoop();
      resolve();
      await stopped;
    };
    return { broker, stop, resolve, order, options: { tracking } };
  }

  test.each<[string, (broker: ServiceBroker) => Promise<unknown>]>([
    ["calls", broker => broker.call("sums.wait")],
    ["events", broker => broker.broadcastLocal("sums.asked")],
  ])("waits for its %s", async (_, begin) => {
    const { broker, stop, order } = stopping();
    await broker.start();
    const running = begin(broker);
    await Promise.all([running, stop()]);
    expect(order).toEqual(["ended", "stopped"]);
  });

  test("waits for a call that follows on another one", async () => {
    const { broker, stop, order } = stopping();
    await broker.start();
    const twice = async () => {
      await broker.call("sums.wait");
      await yieldToLoop();
      await broker.call("sums.wait");
    };
    await Promise.all([twice(), stop()]);
    expect(order).toEqual(["ended", "ended", "stopped"]);
  });

  test("does not wait for calls that nobody wants it to wait for, nor beyond its time", async () => {
    const untracked = stopping({ tracking: false });
    const late = stopping({ shutdownTimeout: 20 });
    for (const { broker, resolve, order, options } of [untracked, late]) {
      await broker.start();
      const running = broker.call("sums.wait", {}, options);
      await broker.stop();
      expect(order).toEqual(["stopped"]);
      resolve();
      await running;
    }
  });
});
