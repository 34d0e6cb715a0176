import { Agent } from "undici";
import type { Event } from "../../services/contracts/events.ts";
import { generateSecret, sign, signingKey } from "../../services/domain/delivery/signature.ts";
import { startHelper } from "./child.ts";
import { type Bench, interleave, median, rate, ratioOf, verdict } from "./compare.ts";
import type { Addresses, Counts } from "./deliveries.sink.process.ts";
import { openWorld } from "./deliveries.world.ts";

const endpoints = 20;
const perEndpoint = 500;
const rounds = 5;

type Sink = Awaited<ReturnType<typeof startHelper<object, Counts, Addresses>>>;

/** Deliveries per second beside a bare undici loop, and the time of one event to many keys. */
export const deliveries: Bench = async () => {
  const sink = await startHelper<object, Counts, Addresses>("deliveries.sink.process.ts", ["1"]);
  try {
    return [await throughput(sink), await fanOut(sink)];
  } finally {
    await sink.stop();
  }
};

/** Both sides POST the same signed bodies to the same keep-alive sink, as many at a time. */
async function throughput(sink: Sink) {
  const world = await openWorld();
  const agent = new Agent();
  const keyIds = Array.from({ length: endpoints }, (_, n) => `key-${n}`);
  await world.register(keyIds.map(keyId => [keyId, `${sink.first}/taken/${keyId}`]));
  let round = 0;
  try {
    const measured = await interleave(rounds, {
      magpie: async () => {
        round += 1;
        await sink.ask({});
        await world.append(keyIds, perEndpoint, `round-${round}`);
        const began = performance.now();
        await arrived(sink, endpoints * perEndpoint);
        return (endpoints * perEndpoint * 1000) / (performance.now() - began);
      },
      bare: async () => {
        const requests = await signedBodies(world.log, keyIds);
        return await rate(requests, endpoints * 16, ({ keyId, headers, body }) =>
          post(agent, `${sink.first}/taken/${keyId}`, headers, body),
        );
      },
    });
    const ratio = ratioOf(measured.magpie, measured.bare);
    const line = `deliveries: magpie ${median(measured.magpie).toFixed(0)}, bare undici ${median(measured.bare).toFixed(0)} /s, ratio ${ratio.toFixed(2)}`;
    return verdict(line, ratio, ">=", 0.5);
  } finally {
    await Promise.all([agent.destroy(), world.stop()]);
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

/** From the append of one event for 1,000 keys until the last receiver has it. */
async function fanOut(sink: Sink) {
  const world = await openWorld();
  const keyIds = Array.from({ length: 1_000 }, (_, n) => `fan-${n}`);
  try {
    await world.register(keyIds.map(keyId => [keyId, `${sink.first}/taken/${keyId}`]));
    await sink.ask({});
    const began = performance.now();
    await world.append(keyIds, 1, "fan");
    await arrived(sink, keyIds.length);
    const ms = performance.now() - began;
    return verdict(`fan-out: one event to 1,000 keys in ${ms.toFixed(0)} ms`, ms, "<=", 1_000);
  } finally {
    await world.stop();
  }
}

async function arrived(sink: Sink, wanted: number): Promise<void> {
  for (let count = 0; count < wanted; ) {
    await new Promise(resolve => setTimeout(resolve, 10));
    count += (await sink.ask({})).count;
  }
}
