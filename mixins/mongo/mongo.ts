import { type Db, MongoClient, type MongoClientOptions } from "mongodb";
import type { ClusterConfig } from "../config/cluster.ts";
import { firstConnection } from "./first-connection.ts";

/** The database of a cluster, and under which name a collection of the cluster stands there. */
export interface Mongo {
  db: Db;
  name(collection: string): string;
}

type Where = Pick<ClusterConfig, "mongoUrl" | "namespace">;

interface Opening {
  client: MongoClient;
  connected: Promise<unknown>;
  users: number;
}

const options: MongoClientOptions = {
  appName: "magpie",
  serverSelectionTimeoutMS: 3000,
  // Together they tell of a server that has fallen silent, and end what waits for it, in 5 s.
  connectTimeoutMS: 3000,
  heartbeatFrequencyMS: 2000,
  // A connection that a network has silently dropped is given up; longer than any command takes.
  socketTimeoutMS: 15_000,
  // For one of the connections.
  waitQueueTimeoutMS: 5000,
  writeConcern: { w: "majority", journal: true },
  readPreference: "primary",
  // FerretDB has no retryable writes, and what may be repeated is for the caller to know.
  retryWrites: false,
  // As in JSON: a field that is undefined is no field.
  ignoreUndefined: true,
};

const openings = new Map<string, Opening>();

/**
 * Joins those of this process who use a server, or connects to it; `closeMongo` once per opening. Rejects with a
 * sentence that names MONGO_URL when there is no server to work with. Later on the client reconnects by itself, and
 * what cannot be done meanwhile rejects: see `reaching`.
 */
export async function openMongo(cluster: Where): Promise<Mongo> {
  const opening = openings.get(cluster.mongoUrl) ?? connect(cluster);
  openings.set(cluster.mongoUrl, opening);
  opening.users += 1;
  try {
    await opening.connected;
  } catch (error) {
    await closeMongo(cluster);
    throw error;
  }
  return {
    db: opening.client.db(databaseOf(cluster)),
    name: collection => `${cluster.namespace}_${collection}`,
  };
}

/** Gives an opening back; the last one closes the connections. */
export async function closeMongo({ mongoUrl }: Where): Promise<void> {
  const opening = openings.get(mongoUrl);
  if (!opening) return;
  opening.users -= 1;
  if (opening.users > 0) return;
  openings.delete(mongoUrl);
  await opening.client.close();
}

/** The one that the URL names; else one that is named for the cluster. */
function databaseOf({ mongoUrl, namespace }: Where): string {
  const [, named] = /^[^/]+\/\/[^/?]+\/([^?]+)/.exec(mongoUrl) ?? [];
  return named ? decodeURIComponent(named) : namespace;
}

function connect(cluster: Where): Opening {
  const client = newClient(cluster.mongoUrl);
  return { client, connected: firstConnection(client, databaseOf(cluster)), users: 0 };
}

function newClient(url: string): MongoClient {
  try {
    return new MongoClient(url, options);
  } catch {
    // What the driver says repeats the URL, password and all.
    throw new Error(
      "MONGO_URL: this is no connection string. One looks like mongodb://user:password@mongo.example:27017/magpie, and signs of the password other than letters and digits are percent-encoded.",
    );
  }
}
