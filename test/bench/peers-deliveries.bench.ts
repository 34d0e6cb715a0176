import { setTimeout as delay } from "node:timers/promises";
import { startHelper } from "./child.ts";
import { type Bench, interleave, median, type Outcome, ratioOf } from "./compare.ts";
import type { Addresses, Counts } from "./deliveries.sink.process.ts";
import { itemEvents } from "./deliveries.world.ts";
import { type Outpost, startOutpost } from "./peers/outpost.ts";
import { cpuSecondsOfTrees } from "./processes.ts";
import { type Batch, type HandedOver, publishBatch } from "./publishing.ts";

const rounds = 5;
const endpoints = 20;
/** As many as the bare loop of `deliveries` has in flight. */
const deliveriesAtATime = endpoints * 16;
const fast = { count: 2_000, pace: { lanes: 64 } };
const steady = { count: 1_000, pace: { perSecond: 100 } };
/** What is written after a delivery is a cost of it. */
const settleMs = 3_000;
const timeoutMs = 300_000;

type Sink = Awaited<ReturnType<typeof startHelper<object, Counts, Addresses>>>;

interface Side {
  /** Whose CPU time counts; `own` without the servers that it works with. */
  pids: { all: number[]; own: number[] };
  publish(batch: Batch): Promise<HandedOver>;
}

interface Round {
  /** From the first event that is handed over to the last delivery. */
  perSecond: number;
  /** Milliseconds a delivery. */
  cpu: number;
  ownCpu: number;
  /** Milliseconds from handing over to arrival, at a fixed rate. */
  p50: number;
  p99: number;
}

/** Magpie's webhook service and Outpost, which deliver equal events, signed in the same way, to one sink. */
export const peersDeliveries: Bench = async () => {
  const sink = await startHelper<object, Counts, Addresses>("deliveries.sink.process.ts", ["1"]);
  const keyIds = Array.from({ length: endpoints }, (_, n) => `key-${n}`);
  const urlOf = (keyId: string) => `${sink.first}/timed/${keyId}`;
  const world = await startHelper<Batch, HandedOver>("deliveries-world.process.ts", [
    JSON.stringify(keyIds.map(keyId => [keyId, urlOf(keyId)])),
  ]);
  let outpost: Outpost | undefined;
  try {
    outpost = await startOutpost(deliveriesAtATime);
    for (const keyId of keyIds) await outpost.register(keyId, urlOf(keyId));
    const magpie = { pids: { all: [world.pid], own: [world.pid] }, publish: world.ask };
    const sides = { magpie, outpost: sideOf(outpost) };
    let round = 0;
    const run = (side: Side) => () => {
      round += 1;
      return measure(side, sink, keyIds, round);
    };
    return outcomes(await interleave(rounds, { magpie: run(sides.magpie), outpost: run(sides.outpost) }));
  } catch (error) {
    if (outpost !== undefined) throw error;
    return [{ line: `peers-deliveries: Outpost was passed over: ${(error as Error).message}` }];
  } finally {
    await Promise.all([outpost?.stop(), world.stop(), sink.stop()]);
  }
};

function sideOf({ pid, serverPids, publish }: Outpost): Side {
  const one = (keyId: string, id: string, n: number) => {
    const [event] = itemEvents([keyId], 1, id, n);
    return publish(keyId, id, { id, type: event?.type, timestamp: event?.timestamp, data: event?.data });
  };
  return {
    pids: { all: [pid, ...serverPids], own: [pid] },
    publish: batch => publishBatch(one, batch),
  };
}

async function measure({ pids, publish }: Side, sink: Sink, keyIds: string[], round: number): Promise<Round> {
  const [before, ownBefore] = [cpuSecondsOfTrees(pids.all), cpuSecondsOfTrees(pids.own)];
  const flood = await delivered(sink, () => publish({ round: `fast-${round}`, keyIds, ...fast }));
  await delay(settleMs);
  const [cpu, ownCpu] = [cpuSecondsOfTrees(pids.all) - before, cpuSecondsOfTrees(pids.own) - ownBefore];
  const even = await delivered(sink, () => publish({ round: `steady-${round}`, keyIds, ...steady }));
  const waits = even.waits.toSorted((a, b) => a - b);
  const part = (share: number) => waits[Math.floor(waits.length * share)] ?? Number.NaN;
  return {
    perSecond: fast.count / flood.seconds,
    cpu: (cpu * 1_000) / fast.count,
    ownCpu: (ownCpu * 1_000) / fast.count,
    p50: part(0.5),
    p99: part(0.99),
  };
}

/** From the first event that is handed over to the last arrival; and how long each was on its way, in milliseconds. */
async function delivered(
  sink: Sink,
  publish: () => Promise<HandedOver>,
): Promise<{ seconds: number; waits: number[] }> {
  await sink.ask({});
  const handedOver = await publish();
  const arrivals: Record<string, number> = {};
  const wanted = Object.keys(handedOver);
  for (let left = timeoutMs; Object.keys(arrivals).length < wanted.length; left -= 20) {
    if (left <= 0) throw new Error(`${Object.keys(arrivals).length} of ${wanted.length} arrived`);
    await delay(20);
    Object.assign(arrivals, (await sink.ask({})).arrivals);
  }
  const first = Math.min(...Object.values(handedOver));
  const last = Math.max(...Object.values(arrivals));
  const waits = wanted.map(id => (arrivals[id] ?? Number.NaN) - (handedOver[id] ?? Number.NaN));
  return { seconds: (last - first) / 1_000, waits };
}

function outcomes({ magpie, outpost }: Record<"magpie" | "outpost", Round[]>): Outcome[] {
  const line = (what: string, unit: string, key: keyof Round, theirKey = key) => {
    const [ours, theirs] = [magpie.map(each => each[key]), outpost.map(each => each[theirKey])];
    const digits = unit === "/s" ? 0 : 2;
    return {
      line: `peers-deliveries: ${what}: magpie ${median(ours).toFixed(digits)} ${unit}, Outpost ${median(theirs).toFixed(digits)} ${unit}, ratio ${ratioOf(ours, theirs).toFixed(2)}`,
    };
  };
  return [
    line(`${fast.count} events to ${endpoints} endpoints`, "/s", "perSecond"),
    line("CPU a delivery, with all servers", "ms", "cpu"),
    line("CPU a delivery, Outpost's process alone", "ms", "cpu", "ownCpu"),
    line(`from publishing to arrival at ${steady.pace.perSecond}/s, p50`, "ms", "p50"),
    line("the same, p99", "ms", "p99"),
  ];
}
