import { Agent } from "undici";
import type { Event } from "../../services/contracts/events.ts";
import { generateSecret, sign, signingKey } from "../../services/domain/delivery/signature.ts";
import { startHelper } from "./child.ts";
import { type Bench, interleave, median, rate, ratioOf, verdict } from "./compare.ts";
import { openHouse } from "./deliveries.house.ts";
import type { Counts } from "./deliveries.sink.process.ts";

const endpoints = 20;
const perEndpoint = 500;
const rounds = 5;
const deadEndpoints = 1_000;

type Sink = Awaited<ReturnType<typeof startHelper<object, Counts, string>>>;

/** Deliveries per second beside a bare undici loop, and what many dead endpoints do to a healthy one. */
export const deliveries: Bench = async () => {
  const sink = await startHelper<object, Counts, string>("deliveries.sink.process.ts");
  try {
    return [await throughput(sink), await fairness(sink), await fanOut(sink)];
  } finally {
    await sink.stop();
  }
};

/** Both sides POST the same signed bodies to the same keep-alive sink, as many at a time. */
async function throughput(sink: Sink) {
  const house = await openHouse();
  const agent = new Agent();
  const keyIds = Array.from({ length: endpoints }, (_, n) => `key-${n}`);
  for (const keyId of keyIds) await house.register(keyId, `${sink.first}/taken/${keyId}`);
  let round = 0;
  try {
    const measured = await interleave(rounds, {
      magpie: async () => {
        round += 1;
        await sink.ask({});
        await house.append(keyIds, perEndpoint, `round-${round}`);
        const began = performance.now();
        await arrived(sink, endpoints * perEndpoint);
        return (endpoints * perEndpoint * 1000) / (performance.now() - began);
      },
      bare: async () => {
        const requests = await signedBodies(house.log, keyIds);
        return await rate(requests, endpoints * 16, ({ keyId, headers, body }) =>
          post(agent, `${sink.first}/taken/${keyId}`, headers, body),
        );
      },
    });
    const ratio = ratioOf(measured.magpie, measured.bare);
    const line = `deliveries: magpie ${median(measured.magpie).toFixed(0)}, bare undici ${median(measured.bare).toFixed(0)} /s, ratio ${ratio.toFixed(2)}`;
    return verdict(line, ratio, ">=", 0.5);
  } finally {
    await Promise.all([agent.destroy(), house.stop()]);
  }
}

async function signedBodies(
  log: { read(k: string, a: number, l: number): Promise<Event[]> },
  keyIds: string[],
) {
  const key = signingKey(generateSecret(size => Buffer.alloc(size, 7)));
  const lists = await Promise.all(keyIds.map(keyId => log.read(keyId, 0, perEndpoint)));
  return lists.flatMap((events, n) =>
    events.map(event => {
      const body = JSON.stringify(event);
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = {
        "content-type": "application/json",
        "user-agent": "Magpie/0.1",
        "webhook-id": event.id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": sign([key], event.id, timestamp, body),
      };
      return { keyId: keyIds[n] ?? "", headers, body };
    }),
  );
}

async function post(agent: Agent, url: string, headers: Record<string, string>, body: string): Promise<void> {
  const { origin, pathname } = new URL(url);
  const answer = await agent.request({ origin, path: pathname, method: "POST", headers, body });
  await answer.body.dump();
}

/** The p99 from append to arrival of a healthy endpoint, alone and beside endpoints that never answer. */
async function fairness(sink: Sink) {
  const house = await openHouse();
  try {
    await house.register("healthy", `${sink.first}/timed`);
    await latencies(house, sink, "warm");
    const alone = await latencies(house, sink, "alone");
    const dead = Array.from({ length: deadEndpoints }, (_, n) => `dead-${n}`);
    for (const keyId of dead) await house.register(keyId, `${sink.first}/dead/${keyId}`);
    // Spread over the time of one exchange, so that their attempts are too.
    for (let first = 0; first < deadEndpoints; first += 20) {
      await house.append(dead.slice(first, first + 20), 20, `dead-${first}`);
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    const beside = await latencies(house, sink, "beside");
    const growth = beside / alone;
    const line = `fairness: p99 of a healthy endpoint ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside ${deadEndpoints} dead ones, factor ${growth.toFixed(2)}`;
    return verdict(line, growth, "<=", 1.2);
  } finally {
    await house.stop();
  }
}

async function latencies(
  house: Awaited<ReturnType<typeof openHouse>>,
  sink: Sink,
  name: string,
): Promise<number> {
  const began: number[] = [];
  await sink.ask({});
  for (let n = 0; n < 1_000; n += 1) {
    began.push(performance.timeOrigin + performance.now());
    await house.append(["healthy"], 1, `${name}-${n}`);
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  await new Promise(resolve => setTimeout(resolve, 500));
  const { arrivals } = await sink.ask({});
  const times = Object.values(arrivals).sort((a, b) => a - b);
  if (times.length !== began.length) throw new Error(`${times.length} of ${began.length} arrived`);
  const waits = times.map((at, n) => at - (began[n] ?? at)).sort((a, b) => a - b);
  return waits[Math.floor(waits.length * 0.99)] ?? 0;
}

/** From the append of one event for 1,000 keys until the last receiver has it. */
async function fanOut(sink: Sink) {
  const house = await openHouse();
  const keyIds = Array.from({ length: 1_000 }, (_, n) => `fan-${n}`);
  try {
    for (const keyId of keyIds) await house.register(keyId, `${sink.first}/taken/${keyId}`);
    await sink.ask({});
    const began = performance.now();
    await house.append(keyIds, 1, "fan");
    await arrived(sink, keyIds.length);
    const ms = performance.now() - began;
    return verdict(`fan-out: one event to 1,000 keys in ${ms.toFixed(0)} ms`, ms, "<=", 1_000);
  } finally {
    await house.stop();
  }
}

async function arrived(sink: Sink, wanted: number): Promise<void> {
  for (let count = 0; count < wanted; ) {
    await new Promise(resolve => setTimeout(resolve, 10));
    count += (await sink.ask({})).count;
  }
}
