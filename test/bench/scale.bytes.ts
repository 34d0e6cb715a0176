import type { Redis } from "ioredis";
import { BSON, MongoClient } from "mongodb";
import { openRedisLog } from "../../mixins/event-log/redis.log.ts";
import { openBullmqQueues } from "../../mixins/queue/bullmq-queue.ts";
import type { Servers } from "../dev/servers.ts";
import { itemEvents } from "./deliveries.world.ts";

const keyIds = Array.from(
  { length: 1000 },
  (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
);
const eventsAtATime = 5;
/** 200,000 references, then as many again: what sets and streams cost once is no part of the second half. */
const appends = 40;
const jobs = 5000;
/** Identities in each of the 65,536 sets of a log with 259 million references. */
const crowd = 3955;
const sampled = 200;

/** Bytes of memory that Redis keeps for a reference, a queued job, and a request that counts against a limit. */
export async function redisBytes({ redis, mongo }: Servers, client: Redis): Promise<string[]> {
  const log = await openRedisLog({
    cluster: { redisUrl: redis.url, mongoUrl: mongo.url, namespace: "bytes" },
    notify: () => undefined,
    onEntries: () => undefined,
    onError: throwIt,
  });
  const append = async (half: string) => {
    for (let n = 0; n < appends; n += 1) await log.append(itemEvents(keyIds, eventsAtATime, `${half}-${n}`));
  };
  const references = appends * eventsAtATime * keyIds.length;
  const first = await growth(client, () => append("first"));
  const second = await growth(client, () => append("second"));
  await log.close();
  const queues = openBullmqQueues({ url: redis.url, prefix: "bytes", onError: throwIt });
  const queue = queues.queue<null, null>("bytes");
  const queued = await growth(client, async () => {
    for (let n = 0; n < jobs; n += 1) await queue.add({ id: `job-${n}`, payload: null });
  });
  await queues.close();
  return [
    `Redis, a reference: ${(first / references).toFixed(0)} B of the first ${references}, ${(second / references).toFixed(0)} B of the next`,
    `Redis, an identity among ${crowd} in its set: ${await crowded(client, 512)} B, ${await crowded(client, 8192)} B where set-max-intset-entries is 8192`,
    `Redis, a queued job: ${(queued / jobs).toFixed(0)} B`,
    `Redis, a request within its minute: ${await perRequest(client)} B`,
  ];
}

/** Bytes of a document of each collection, as BSON: without indexes, and before the server compresses them. */
export async function storeBytes({ mongo }: Servers): Promise<string[]> {
  const client = new MongoClient(mongo.url);
  try {
    const db = client.db("magpie");
    const names = (await db.listCollections().toArray()).map(({ name }) => name).toSorted();
    const lines = names.map(async name => {
      const documents = await db.collection(name).find().limit(sampled).toArray();
      const bytes = documents.reduce((sum, document) => sum + BSON.calculateObjectSize(document), 0);
      return documents.length > 0
        ? [`MongoDB, one of ${name}: ${(bytes / documents.length).toFixed(0)} B`]
        : [];
    });
    return (await Promise.all(lines)).flat();
  } finally {
    await client.close();
  }
}

async function growth(client: Redis, work: () => Promise<void>): Promise<number> {
  const before = await usedMemory(client);
  await work();
  return (await usedMemory(client)) - before;
}

async function usedMemory(client: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await client.info("memory"))?.[1]);
}

/** A set of so many numbers as the log has them. */
async function crowded(client: Redis, mostInOrder: number): Promise<string> {
  await client.config("SET", "set-max-intset-entries", mostInOrder);
  const numbers = Array.from({ length: crowd }, () => Math.floor(Math.random() * 2 ** 52));
  await client.sadd("crowd", ...numbers);
  const bytes = Number(await client.memory("USAGE", "crowd", "SAMPLES", 0));
  await client.del("crowd");
  return (bytes / crowd).toFixed(0);
}

async function perRequest(client: Redis): Promise<string> {
  const keys = await client.keys("magpie:rate:*");
  const costs = keys.map(async key => {
    const [bytes, requests] = await Promise.all([
      client.memory("USAGE", key, "SAMPLES", 0),
      client.zcard(key),
    ]);
    return { bytes: Number(bytes), requests };
  });
  const most = (await Promise.all(costs)).toSorted((a, b) => b.requests - a.requests)[0];
  return most ? (most.bytes / most.requests).toFixed(0) : "no request";
}

function throwIt(error: unknown): never {
  throw error;
}
