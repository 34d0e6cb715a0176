import { type Helper, startHelper } from "./child.ts";
import { type Bench, median, verdict } from "./compare.ts";
import { openWorld } from "./deliveries.world.ts";
import type { BareBatch } from "./deliveries-bare.process.ts";
import {
  type Delivering,
  type Ordering,
  openDelivering,
  openSink,
  receivers,
  type Sink,
} from "./deliveries-program.ts";
import { costsOf, ratioOfCosts, showCosts, type WholeSide } from "./whole-side.ts";

const postsPerRound = 500;
const rounds = 5;
const bars: Record<Ordering, number> = { none: 0.6, conversation: 0.5 };

/**
 * Deliveries of the whole program, which takes posts by its API, beside a bare undici loop that signs; on one core beside
 * on all; and the time of one event to many keys.
 */
export const deliveries: Bench = async () => {
  const sink = await openSink();
  try {
    return [
      await throughput(sink, "none"),
      await throughput(sink, "conversation"),
      await scaling(sink),
      await fanOut(sink),
    ];
  } finally {
    await sink.stop();
  }
};

/** Both sides POST signed bodies of the same size to the same keep-alive receivers. */
async function throughput(sink: Sink, ordering: Ordering) {
  const delivering = await openDelivering(sink, ordering);
  const lanes = String(receivers * 16);
  const bare = await startHelper<BareBatch, number, string>("deliveries-bare.process.ts", [
    JSON.stringify(sink.urls),
    lanes,
  ]);
  try {
    const costs = await costsOf(rounds, { magpie: sideOf(delivering), bare: bareSide(bare, delivering) });
    const ratio = ratioOfCosts(costs.magpie, costs.bare, "perSecond");
    const cpu = ratioOfCosts(costs.magpie, costs.bare, "cpuMs");
    const name = ordering === "none" ? "ordering none" : "default order";
    const line = `deliveries, ${name}: magpie ${showCosts(costs.magpie, "delivery")}; bare undici ${showCosts(costs.bare, "delivery")}; CPU ratio ${cpu.toFixed(2)}, clock ratio ${ratio.toFixed(2)}`;
    return verdict(line.replaceAll("deliverys", "deliveries"), ratio, ">=", bars[ordering]);
  } finally {
    await bare.stop();
    await delivering.program.stop();
  }
}

function sideOf({ program, deliver }: Delivering): WholeSide {
  return {
    pids: [program.pid],
    run: async () => {
      const began = performance.now();
      await deliver(postsPerRound);
      const units = postsPerRound * receivers;
      return { units, perSecond: (units * 1000) / (performance.now() - began) };
    },
  };
}

function bareSide(bare: Helper<BareBatch, number>, { lastBody }: Delivering): WholeSide {
  return {
    pids: [bare.pid],
    run: async () => {
      const perSecond = await bare.ask({ perReceiver: postsPerRound, body: lastBody() });
      return { units: postsPerRound * receivers, perSecond };
    },
  };
}

/** What more cores bring. The receivers run on them as well. */
async function scaling(sink: Sink) {
  const one = await openDelivering(sink, "none", ["taskset", "-c", "0"]);
  const all = await openDelivering(sink, "none");
  try {
    const costs = await costsOf(rounds, { one: sideOf(one), all: sideOf(all) });
    const factor = ratioOfCosts(costs.all, costs.one, "perSecond");
    const [onOne, onAll] = [costs.one, costs.all].map(side => median(side.map(({ perSecond }) => perSecond)));
    return {
      line: `deliveries: the program on one core ${onOne?.toFixed(0)} /s, on all ${onAll?.toFixed(0)} /s, factor ${factor.toFixed(2)}`,
    };
  } finally {
    await one.program.stop();
    await all.program.stop();
  }
}

/** From the append of one event for 1,000 keys until the last receiver has it. */
async function fanOut(sink: Sink) {
  const world = await openWorld();
  const keyIds = Array.from({ length: 1_000 }, (_, n) => `fan-${n}`);
  try {
    await world.register(keyIds.map(keyId => [keyId, `${sink.first}/taken/${keyId}`]));
    await sink.ask({});
    const began = performance.now();
    await world.append(keyIds, 1, "fan");
    await sink.arrived(keyIds.length);
    const ms = performance.now() - began;
    return verdict(`fan-out: one event to 1,000 keys in ${ms.toFixed(0)} ms`, ms, "<=", 1_000);
  } finally {
    await world.stop();
  }
}
