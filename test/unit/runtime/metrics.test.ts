import { ServiceBroker } from "moleculer";
import { gauged } from "../../../mixins/queue/queue.mixin.ts";
import type { Queues } from "../../../mixins/queue/queue.ts";
import { addGauge, exposition } from "../../../mixins/runtime/metrics.ts";

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
