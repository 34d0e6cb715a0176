import { setTimeout as delay } from "node:timers/promises";
import { startHelper } from "./child.ts";
import { type Bench, interleave, median, type Outcome, ratioOf, verdict } from "./compare.ts";
import { type House, openHouse } from "./deliveries.house.ts";
import type { Addresses, Counts } from "./deliveries.sink.process.ts";

const others = 1_000;
const rounds = 5;
const samples = 1_000;
/** The time of one exchange, over which the first attempts of the others are spread. */
const settleInMs = 5_000;
/** Events of as many sources that the others have waiting from the start: more than a window holds. */
const backlog = 32;
const patienceMs = 30_000;
/** Shorter than the default, so that no failing endpoint falls silent, or is FAILED, before a round is over. */
const backoff = "5s,5s,5s,5s";

type Sink = Awaited<ReturnType<typeof startHelper<object, Counts, Addresses>>>;
/** Receivers in processes of their own: what one has to do with others' deliveries is no delay of ours. */
type Sinks = Record<"healthy" | "others", Sink>;

/**
 * The p99 from append to arrival of a healthy endpoint: alone, beside 1,000 endpoints that fail (half of them never
 * answer, half say 500), and beside 1,000 that say 200 after 2 to 4 s. The others have events due all the time, and on
 * all three sides their logs grow at the same rate: alone, nobody reads them.
 */
export const fairness: Bench = async () => {
  const healthy = await openSink(1);
  const sinks = { healthy, others: await openSink(others) };
  try {
    const measured = await interleave(rounds, {
      alone: () => round(sinks),
      dead: () => round(sinks, n => (n % 2 === 0 ? "hang" : "error")),
      slow: () => round(sinks, () => "slow"),
    });
    return [
      compared("failing", measured.alone, measured.dead),
      compared("slow", measured.alone, measured.slow),
    ];
  } finally {
    await sinks.others.stop();
    await healthy.stop();
  }
};

function openSink(receivers: number): Promise<Sink> {
  return startHelper<object, Counts, Addresses>("deliveries.sink.process.ts", [String(receivers)]);
}

function compared(what: string, alone: number[], beside: number[]): Outcome {
  const growth = ratioOf(beside, alone);
  const text = `fairness: p99 of a healthy endpoint ${median(alone).toFixed(1)} ms alone, ${median(beside).toFixed(1)} ms beside ${others} ${what} ones, factor ${growth.toFixed(2)}`;
  return verdict(text, growth, "<=", 1.2);
}

/** `mannerOf` tells what another endpoint does; without it the others have none. */
async function round(sinks: Sinks, mannerOf?: (n: number) => string): Promise<number> {
  const house = await openHouse({ WEBHOOK_BACKOFF: backoff });
  const [healthy = ""] = sinks.healthy.first;
  const addresses = sinks.others.first;
  const keyIds = addresses.map((_, n) => `other-${n}`);
  const growing = new AbortController();
  let grown: Promise<void> | undefined;
  try {
    await house.register([["healthy", `${healthy}/timed`]]);
    if (mannerOf)
      await house.register(keyIds.map((keyId, n) => [keyId, `${addresses[n]}/${mannerOf(n)}/${n}`]));
    grown = grow(house, keyIds, growing.signal);
    await delay(settleInMs);
    return await p99(house, sinks.healthy);
  } finally {
    growing.abort();
    await grown;
    await house.stop();
  }
}

/** Lets the logs of all keys grow: by their backlog at first, then by one event each in 5 s. */
async function grow(house: House, keyIds: string[], signal: AbortSignal): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1)
    for (let first = 0; first < keyIds.length && !signal.aborted; first += 20) {
      const some = keyIds.slice(first, first + 20);
      await house.append(some, turn === 0 ? backlog : 1, `grow-${turn}-${first}`);
      await delay(settleInMs / (keyIds.length / 20));
    }
}

async function p99(house: House, sink: Sink): Promise<number> {
  const began = new Map<string, number>();
  const waits: number[] = [];
  await sink.ask({});
  for (let n = 0; n < samples; n += 1) {
    began.set(`timed-${n}-0`, performance.timeOrigin + performance.now());
    await house.append(["healthy"], 1, `timed-${n}`, n);
    await delay(4 + Math.random() * 12);
  }
  for (let left = patienceMs; waits.length < samples; left -= 100) {
    if (left <= 0) throw new Error(`${waits.length} of ${samples} arrived`);
    await delay(100);
    const { arrivals } = await sink.ask({});
    for (const [item, at] of Object.entries(arrivals)) waits.push(at - (began.get(item) ?? Number.NaN));
  }
  return waits.sort((a, b) => a - b)[Math.floor(samples * 0.99)] ?? Number.NaN;
}
