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
        return await sideOf(() => arrived(sink, endpoints * perEndpoint), world.idle);
      },
      bare: async () => {
        const requests = await signedBodies(world.log, keyIds);
        return await sideOf(() =>
          rate(requests, endpoints * 16, ({ keyId, headers, body }) =>
            post(agent, `${sink.first}/taken/${keyId}`, headers, body),
          ),
        );
      },
    });
    return compared(measured.magpie, measured.bare);
  } finally {
    await Promise.all([agent.destroy(), world.stop()]);
  }
}

/** Deliveries per second, and microseconds of CPU time of each: of all threads, and of the main one. */
interface Side {
  perSecond: number;
  cpu: number;
  main: number;
}

/** `rest`: what is written behind the last delivery counts as CPU time of this side, and is no burden of the next one. */
async function sideOf(work: () => Promise<unknown>, rest?: () => Promise<void>): Promise<Side> {
  const [began, all, main] = [performance.now(), process.cpuUsage(), process.threadCpuUsage()];
  await work();
  const perSecond = (endpoints * perEndpoint * 1000) / (performance.now() - began);
  await rest?.();
  const each = ({ user, system }: NodeJS.CpuUsage) => (user + system) / (endpoints * perEndpoint);
  return { perSecond, cpu: each(process.cpuUsage(all)), main: each(process.threadCpuUsage(main)) };
}

function compared(magpie: Side[], bare: Side[]) {
  const of = (sides: Side[], what: keyof Side) => median(sides.map(side => side[what])).toFixed(0);
  const rates = [magpie, bare].map(sides => sides.map(({ perSecond }) => perSecond)) as [number[], number[]];
  const ratio = ratioOf(...rates);
  const cpu = `CPU time of one ${of(magpie, "cpu")} µs, of which the main thread ${of(magpie, "main")} µs, and ${of(bare, "cpu")} µs`;
  const line = `deliveries: magpie ${of(magpie, "perSecond")}, bare undici ${of(bare, "perSecond")} /s, ratio ${ratio.toFixed(2)}; ${cpu}`;
  return verdict(line, ratio, ">=", 0.5, 0.8);
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
