import { ServiceBroker } from "moleculer";
import { counterOf, histogramOf } from "../../../mixins/runtime/counters.ts";
import { exposition } from "../../../mixins/runtime/metrics.ts";

const named = (name: string) => ({ name, description: "What happened" });
const samplesOf = async (broker: ServiceBroker, name: string) =>
  (await exposition(broker)).split("\n").filter(line => line.startsWith(name));

test("a counter has all of its series from the beginning, and no others", async () => {
  const broker = new ServiceBroker({ logger: false });
  const by = [
    ["kind", ["rss", "web"]],
    ["outcome", ["ok", "failed"]],
  ] as const;
  const counter = counterOf(broker, { ...named("magpie_polls_total"), by });
  counter.add("web", "failed");
  counter.add("web", "failed", 2);
  expect(await samplesOf(broker, "magpie_polls")).toEqual([
    'magpie_polls_total{kind="rss",outcome="ok"} 0',
    'magpie_polls_total{kind="rss",outcome="failed"} 0',
    'magpie_polls_total{kind="web",outcome="ok"} 0',
    'magpie_polls_total{kind="web",outcome="failed"} 3',
  ]);
  counter.add("https://example.com/?secret" as "web", "ok");
  expect((await samplesOf(broker, "magpie_polls")).at(-1)).toBe(
    'magpie_polls_total{kind="other",outcome="other"} 1',
  );
});

test("services of one process share a counter, and nodes do not", async () => {
  const [one, other] = [new ServiceBroker({ logger: false }), new ServiceBroker({ logger: false })];
  counterOf(one, named("magpie_things_total")).add();
  counterOf(one, named("magpie_things_total")).add();
  counterOf(other, named("magpie_things_total"));
  expect(await samplesOf(one, "magpie_things")).toEqual(["magpie_things_total 2"]);
  expect(await samplesOf(other, "magpie_things")).toEqual(["magpie_things_total 0"]);
});

test("a histogram counts a value at its bound within it", async () => {
  const broker = new ServiceBroker({ logger: false });
  const seconds = histogramOf(broker, { ...named("magpie_seconds"), bounds: [0.1, 1] });
  for (const value of [0.1, 0.5, 7]) seconds.observe(value);
  expect(await samplesOf(broker, "magpie_seconds")).toEqual([
    'magpie_seconds_bucket{le="0.1"} 1',
    'magpie_seconds_bucket{le="1"} 2',
    'magpie_seconds_bucket{le="+Inf"} 3',
    "magpie_seconds_sum 7.6",
    "magpie_seconds_count 3",
  ]);
});
