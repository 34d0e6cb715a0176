import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { startServers, stopServers } from "../dev/servers.ts";
import type { Bench, Outcome } from "./compare.ts";
import { meterMongo } from "./meter-mongo.ts";
import { meterNats } from "./meter-nats.ts";
import { redisBytes, storeBytes } from "./scale.bytes.ts";
import { openPlace } from "./scale.place.ts";
import { units } from "./scale.units.ts";

const idleSeconds = 20;

/** What went to the servers: of MongoDB writes and queries by collection, of NATS messages by kind, commands of Redis. */
type Traffic = Record<string, number>;

/** What a unit of work costs at the servers, with one node of each service, and what they keep for each thing. */
export const scaleCosts: Bench = async () => {
  const servers = await startServers(process.env);
  const mongo = await meterMongo(servers.mongo);
  const nats = await meterNats(servers.nats);
  const redis = new Redis(servers.redis.url);
  const place = await openPlace({ servers: { ...servers, mongo: mongo.server } });
  const take = async (): Promise<Traffic> => {
    const { writes, reads } = mongo.take();
    return {
      ...named("write", writes),
      ...named("query", reads),
      ...named("nats", nats.take()),
      "redis command": await commandsSince(redis),
    };
  };
  try {
    const lines: string[] = [];
    await take();
    await delay(idleSeconds * 1000);
    const idle = await take();
    lines.push(`idle, a second of ${place.cluster.nodes.length} nodes: ${rowOf(idle, idleSeconds)}`);
    for (const unit of units) {
      await unit.work(place);
      await take();
      const began = performance.now();
      const done = await unit.work(place);
      // What is still under way belongs to the work.
      await delay(2000);
      const seconds = (performance.now() - began) / 1000;
      lines.push(`1 of ${unit.name}: ${rowOf(beyond(await take(), idle, seconds), done)}`);
    }
    lines.push(...(await redisBytes(servers, redis)), ...(await storeBytes(servers)));
    return lines.map((line): Outcome => ({ line: `scale-costs: ${line}` }));
  } finally {
    await place.close();
    redis.disconnect();
    await Promise.all([mongo.close(), nats.close()]);
    await stopServers(servers);
  }
};

function named(what: string, counts: Record<string, number>): Traffic {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [`${what} ${name}`, count]));
}

/** All that were carried out, those of scripts among them. */
async function commandsSince(redis: Redis): Promise<number> {
  const stats = await redis.info("commandstats");
  await redis.config("RESETSTAT");
  const calls = [...stats.matchAll(/^cmdstat_(\S+):calls=(\d+)/gm)];
  return calls.reduce((sum, [, , count]) => sum + Number(count), 0);
}

function beyond(traffic: Traffic, idle: Traffic, seconds: number): Traffic {
  const own = ([name, count]: [string, number]) => count - ((idle[name] ?? 0) / idleSeconds) * seconds;
  return Object.fromEntries(Object.entries(traffic).map(entry => [entry[0], own(entry)]));
}

/** The names with what there was of each per unit, without what is next to nothing. */
function rowOf(traffic: Traffic, units: number): string {
  const each = Object.entries(traffic).map(([name, count]): [string, number] => [name, count / units]);
  const some = each.filter(([, count]) => count >= 0.005).toSorted(([a], [b]) => a.localeCompare(b));
  return some.map(([name, count]) => `${name} ${count.toFixed(2)}`).join(", ");
}
