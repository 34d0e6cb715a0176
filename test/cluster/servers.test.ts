import { Redis } from "ioredis";
import { MongoClient } from "mongodb";
import { connect } from "nats";
import { startMongo, withOwnMongo } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { startRedis } from "../support/redis.ts";
import type { TestServer } from "../support/server.ts";

/** Writes, reads, and ends its connection. */
interface Client {
  write(url: string): Promise<unknown>;
  read(url: string): Promise<unknown>;
}

const mongo = await startMongo();

const redisClient: Client = {
  write: url => withRedis(url, redis => redis.set("name", "ann")),
  read: url => withRedis(url, redis => redis.get("name")),
};
const mongoClient: Client = {
  write: url =>
    withClient(url, client => people(client).insertOne({ _id: "1", name: "ann", seen: [["a", 1]] })),
  read: url => withClient(url, async client => (await people(client).findOne({ _id: "1" }))?.name),
};

test("Redis keeps what it acknowledged", async () => {
  await keeps(await startRedis(), redisClient);
});

withOwnMongo(mongo).test("MongoDB keeps what it acknowledged", async () => {
  await keeps(mongo, mongoClient);
});

test("NATS is back on its port", async () => {
  const nats = await startNats();
  await nats.restart();
  const connection = await connect({ servers: nats.url });
  await connection.close();
  await nats.stop();
});

async function keeps(server: Pick<TestServer, "url" | "pid" | "kill" | "restart" | "stop">, client: Client) {
  await client.write(server.url);
  const first = server.pid;
  await server.kill();
  expect(server.pid).toBeUndefined();
  await expect(client.read(server.url)).rejects.toThrow();
  await server.restart();
  expect(await client.read(server.url)).toBe("ann");
  expect(server.pid).not.toBe(first);
  await server.stop();
}

async function withRedis<Value>(url: string, work: (redis: Redis) => Promise<Value>): Promise<Value> {
  const redis = new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on("error", () => undefined);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

async function withClient<Value>(url: string, work: (client: MongoClient) => Promise<Value>): Promise<Value> {
  // A server on its own acknowledges what is in memory, unless the client asks for the journal, as the store does.
  const writeConcern = { w: "majority", journal: true } as const;
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 5000, retryWrites: false, writeConcern });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

function people(client: MongoClient) {
  return client.db("test").collection<{ _id: string; name: string; seen: unknown[][] }>("people");
}
