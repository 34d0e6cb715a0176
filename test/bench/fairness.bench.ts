import { setTimeout as delay } from "node:timers/promises";
import { startHelper } from "./child.ts";
import { type Bench, interleave, type Outcome, verdict } from "./compare.ts";
import type { Addresses, Counts } from "./deliveries.sink.process.ts";
import { openWorld, type World } from "./deliveries.world.ts";
import { disturbance, type Measured, undisturbed } from "./undisturbed.ts";

const others = 1_000;
const rounds = 5;
const samples = 1_000;
/** The time of one exchange, over which the first attempts of the others are spread. */
const settleInMs = 5_000;
/** Events of as many sources that failing ones have waiting from the start: more than a window holds. */
const backlog = 32;
const timeoutMs = 30_000;
/** Shorter than the default, so that no failing endpoint falls silent, or is FAILED, before a round is over. */
const backoff = "5s,5s,5s,5s";

type Sink = Awaited<ReturnType<typeof startHelper<object, Counts, Addresses>>>;
/** Receivers in processes of their own: what one has to do with others' deliveries is no delay of ours. */
type Sinks = Record<"healthy" | "others", Sink>;

interface Others {
  /** What another endpoint does. */
  mannerOf(n: number): string;
  backlog: number;
}

/**
 * The p99 from append to arrival of a healthy endpoint. Failing ones take nothing: beside 1,000 of them (half never
 * answer, half say 500, and all have events due all the time) it is to be what it is alone. Slow ones take what is sent,
 * which is work whoever takes it: beside 1,000 that say 200 after 2 to 4 s it is to be what it is beside 1,000 that say
 * so at once. On all sides the others' logs grow at the same rate: alone, nobody reads them.
 *
 * The p99 is that of all rounds together: of one alone it is the wait of some ten events, which met what else the machine
 * did.
 */
export const fairness: Bench = async () => {
  const healthy = await openSink(1);
  const sinks = { healthy, others: await openSink(others) };
  try {
    const side = (manner?: Others) => () => undisturbed(() => round(sinks, manner));
    const measured = await interleave(rounds, {
      alone: side(),
      failing: side({ mannerOf: n => (n % 2 === 0 ? "hang" : "error"), backlog }),
      prompt: side({ mannerOf: () => "prompt", backlog: 1 }),
      slow: side({ mannerOf: () => "slow", backlog: 1 }),
    });
    const [alone, failing, prompt, slow] = [
      p99(measured.alone),
      p99(measured.failing),
      p99(measured.prompt),
      p99(measured.slow),
    ];
    const how = disturbance(Object.values(measured).flat());
    return [
      compared(`beside ${others} failing ones`, failing, "alone", alone, how),
      compared(
        `beside ${others} slow ones (${(slow / alone).toFixed(2)} times that alone)`,
        slow,
        `beside ${others} prompt ones`,
        prompt,
        how,
      ),
    ];
  } finally {
    await sinks.others.stop();
    await healthy.stop();
  }
};

function openSink(receivers: number): Promise<Sink> {
  return startHelper<object, Counts, Addresses>("deliveries.sink.process.ts", [String(receivers)]);
}

function compared(what: string, measured: number, than: string, base: number, how: string): Outcome {
  const growth = measured / base;
  const text = `fairness: p99 of a healthy endpoint ${base.toFixed(1)} ms ${than}, ${measured.toFixed(1)} ms ${what}, factor ${growth.toFixed(2)}, ${how}`;
  return verdict(text, growth, "<=", 1.2);
}

function p99(rounds: Measured<number[]>[]): number {
  const waits = rounds.flatMap(({ value }) => value).sort((a, b) => a - b);
  return waits[Math.floor(waits.length * 0.99)] ?? Number.NaN;
}

/** Without a manner the others have no endpoints. */
async function round(sinks: Sinks, { mannerOf, backlog = 1 }: Partial<Others> = {}): Promise<number[]> {
  const world = await openWorld({ WEBHOOK_BACKOFF: backoff });
  const [healthy = ""] = sinks.healthy.first;
  const addresses = sinks.others.first;
  const keyIds = addresses.map((_, n) => `other-${n}`);
  const growing = new AbortController();
  let grown: Promise<void> | undefined;
  try {
    await world.register([["healthy", `${healthy}/timed`]]);
    if (mannerOf)
      await world.register(keyIds.map((keyId, n) => [keyId, `${addresses[n]}/${mannerOf(n)}/${n}`]));
    grown = grow(world, keyIds, backlog, growing.signal);
    await delay(settleInMs);
    return await waits(world, sinks.healthy);
  } finally {
    growing.abort();
    await grown;
    await world.stop();
  }
}

/** Lets the logs of all keys grow: by their backlog at first, then by one event each in 5 s. */
async function grow(world: World, keyIds: string[], backlog: number, signal: AbortSignal): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1)
    for (let first = 0; first < keyIds.length && !signal.aborted; first += 20) {
      const some = keyIds.slice(first, first + 20);
      await world.append(some, turn === 0 ? backlog : 1, `grow-${turn}-${first}`);
      await delay(settleInMs / (keyIds.length / 20));
    }
}

/** From append to arrival, in milliseconds. */
async function waits(world: World, sink: Sink): Promise<number[]> {
  const began = new Map<string, number>();
  const waits: number[] = [];
  await sink.ask({});
  for (let n = 0; n < samples; n += 1) {
    began.set(`timed-${n}-0`, performance.timeOrigin + performance.now());
    await world.append(["healthy"], 1, `timed-${n}`, n);
    await delay(4 + Math.random() * 12);
  }
  for (let left = timeoutMs; waits.length < samples; left -= 100) {
    if (left <= 0) throw new Error(`${waits.length} of ${samples} arrived`);
    await delay(100);
    const { arrivals } = await sink.ask({});
    for (const [item, at] of Object.entries(arrivals)) waits.push(at - (began.get(item) ?? Number.NaN));
  }
  return waits;
}
