import { ServiceBroker } from "moleculer";
import { gauged } from "../../../mixins/queue/queue.mixin.ts";
import type { Queues } from "../../../mixins/queue/queue.ts";
import { addGauge, exposition, prometheusText } from "../../../mixins/runtime/metrics.ts";

const linesOf = async (broker: ServiceBroker, name: string) =>
  (await exposition(broker)).split("\n").filter(line => line.includes(name));

test("gauges of one name are one metric, and one that cannot be read takes no other with it", async () => {
  const broker = new ServiceBroker({ logger: false });
  const gauge = { name: "magpie_waiting", description: "What waits" };
  addGauge(broker, { ...gauge, read: () => [{ labels: { room: "a" }, value: 1 }] });
  const withdraw = addGauge(broker, { ...gauge, read: async () => [{ labels: { room: "b" }, value: 2 }] });
  addGauge(broker, { ...gauge, read: () => Promise.reject(new Error("away")) });
  expect(await linesOf(broker, "magpie_waiting")).toEqual([
    "# HELP magpie_waiting What waits",
    "# TYPE magpie_waiting gauge",
    'magpie_waiting{room="a"} 1',
    'magpie_waiting{room="b"} 2',
  ]);
  withdraw();
  expect(await linesOf(broker, 'room="b"')).toEqual([]);
  expect(await linesOf(new ServiceBroker({ logger: false }), "magpie_waiting")).toEqual([]);
});

test("a queue exports the number of waiting jobs while it is open", async () => {
  const broker = new ServiceBroker({ logger: false });
  const counts = async () => ({ waiting: 3, active: 1, completed: 5, failed: 0 });
  const inner = { queue: () => ({ counts }), close: async () => undefined } as unknown as Queues;
  const queues = gauged(inner, broker);
  queues.queue("scrapes");
  queues.queue("scrapes");
  expect(await linesOf(broker, "magpie_queue_waiting{")).toEqual(['magpie_queue_waiting{queue="scrapes"} 3']);
  await queues.close();
  expect(await linesOf(broker, "magpie_queue_waiting")).toEqual([]);
});

test("Prometheus text escapes labels, sums histograms, and leaves text out", () => {
  const text = prometheusText([
    {
      name: "a.b",
      type: "counter",
      description: "A\nB",
      snapshot: () => [{ labels: { x: 'q"\\\n' }, value: 2 }],
    },
    {
      name: "h",
      type: "histogram",
      snapshot: () => [{ labels: {}, count: 3, sum: 4.5, buckets: { 1: 1, 5: 3 } }],
    },
    { name: "i", type: "info", snapshot: () => [{ value: "secret" }] },
    { name: "empty", type: "gauge", snapshot: () => [] },
  ]);
  expect(text.split("\n")).toEqual([
    "# HELP a_b A\\nB",
    "# TYPE a_b counter",
    'a_b{x="q\\"\\\\\\n"} 2',
    "# HELP h h",
    "# TYPE h histogram",
    'h_bucket{le="1"} 1',
    'h_bucket{le="5"} 3',
    'h_bucket{le="+Inf"} 3',
    "h_sum 4.5",
    "h_count 3",
    "",
  ]);
});
