import { type Middleware, ServiceBroker } from "moleculer";
import { countCalls } from "../../../mixins/runtime/count-calls.middleware.ts";
import { exposition } from "../../../mixins/runtime/metrics.ts";

const linesOf = async (broker: ServiceBroker, name: string) =>
  (await exposition(broker)).split("\n").filter(line => line.startsWith(name));

test("calls are counted by action, with what runs, what failed and how long it took", async () => {
  const broker = new ServiceBroker({ logger: false, middlewares: [countCalls()] });
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
      'moleculer_request_error_total{action="sums.fail",errorType="overloaded"} 1',
    ]);
    expect(await linesOf(broker, 'moleculer_request_time_count{action="sums.wait"}')).toEqual([
      'moleculer_request_time_count{action="sums.wait"} 1',
    ]);
  } finally {
    await broker.stop();
  }
});

test("packets are counted in both directions, and travel as they are", async () => {
  const counting = countCalls();
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
    "moleculer_transporter_packets_sent_bytes 6",
    "moleculer_transporter_packets_received_total 2",
    "moleculer_transporter_packets_received_bytes 6",
  ]);
});
