import { type Collection, type Db, type Document, MongoClient, type MongoClientOptions } from "mongodb";
import { fail } from "../../services/contracts/errors.ts";
import { within } from "../async/timeout.ts";
import type { ClusterConfig } from "../config/config.ts";

/** The database of a cluster, and the name of each of its collections there. */
export interface Mongo {
  db: Db;
  name(collection: string): string;
}

type MongoPlace = Pick<ClusterConfig, "mongoUrl" | "namespace">;

interface Opening {
  client: MongoClient;
  connected: Promise<unknown>;
  users: number;
}

/** Longer than any command takes. */
const commandMs = 15_000;

const options: MongoClientOptions = {
  appName: "magpie",
  serverSelectionTimeoutMS: 3000,
  // Together they detect a silent server, and reject what waits for it, within 5 s.
  connectTimeoutMS: 3000,
  heartbeatFrequencyMS: 2000,
  // Closes a connection that a network has silently dropped.
  socketTimeoutMS: commandMs,
  // For a free connection.
  waitQueueTimeoutMS: 5000,
  writeConcern: { w: "majority", journal: true },
  readPreference: "primary",
  // Only the caller knows what may be repeated.
  retryWrites: false,
  // As in JSON, an undefined field is left out.
  ignoreUndefined: true,
};

const openings = new Map<string, Opening>();

/**
 * Shares this process' connection to a server, or opens it; call `closeMongo` once per opening. Rejects with a message that
 * names MONGO_URL when there is no usable server. Later the client reconnects by itself; operations reject meanwhile: see
 * `mapMongoErrors`.
 */
export async function openMongo(cluster: MongoPlace): Promise<Mongo> {
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

/** Closes one opening; the last one closes the connections. */
export async function closeMongo({ mongoUrl }: MongoPlace): Promise<void> {
  const opening = openings.get(mongoUrl);
  if (!opening) return;
  opening.users -= 1;
  if (opening.users > 0) return;
  openings.delete(mongoUrl);
  await opening.client.close();
}

/** The database that the URL names, else one named after the cluster. */
function databaseOf({ mongoUrl, namespace }: MongoPlace): string {
  const [, named] = /^[^/]+\/\/[^/?]+\/([^?]+)/.exec(mongoUrl) ?? [];
  return named ? decodeURIComponent(named) : namespace;
}

function connect(cluster: MongoPlace): Opening {
  const client = newClient(cluster.mongoUrl);
  return { client, connected: connectFirst(client, databaseOf(cluster)), users: 0 };
}

function newClient(url: string): MongoClient {
  try {
    return new MongoClient(url, options);
  } catch {
    // The driver's message repeats the URL with its password.
    throw new Error(
      "MONGO_URL: this is not a connection string. One looks like mongodb://user:password@mongo.example:27017/magpie; characters of the password other than letters and digits are percent-encoded.",
    );
  }
}

/** That of MongoDB 5.0, the oldest version with field names that begin with `$`. */
const oldestWireVersion = 13;
/** Unauthorized, AuthenticationFailed, and Atlas' own. */
const credentialCodes = new Set<unknown>([13, 18, 8000]);

/** Connects. Rejects with a message that names MONGO_URL and the cure, but not the URL, which may hold a password. */
export async function connectFirst(client: MongoClient, database: string): Promise<void> {
  let version: unknown;
  try {
    await client.connect();
    const hello = await client.db("admin").command({ hello: 1 });
    version = hello.maxWireVersion;
    // Anyone gets an answer to `hello`; this needs valid credentials.
    await client.db(database).listCollections({}, { nameOnly: true, batchSize: 1 }).hasNext();
  } catch (cause) {
    throw new Error(`MONGO_URL: ${reason(cause)}`, { cause });
  }
  if (typeof version !== "number" || version < oldestWireVersion)
    throw new Error("MONGO_URL: the server is too old. Magpie needs MongoDB 5.0 or newer.");
}

function reason(error: unknown): string {
  const { code, name, message } = error as { code?: unknown; name: string; message: string };
  if (credentialCodes.has(code))
    return "the server rejects the user or the password of the URL. Check both, and the parameter authSource.";
  if (name === "MongoCompatibilityError") return "the server is too old. Magpie needs MongoDB 5.0 or newer.";
  if (/certificate|SSL|TLS/i.test(message))
    return `no TLS connection could be made (${message}). Check the certificate and the parameters tls and tlsCAFile.`;
  return `the server cannot be reached (${message}). Check that it runs, and that host and port of the URL are right.`;
}

/** The driver's errors for no server, no connection, no answer. By name, since the driver may be loaded twice. */
const unreached = new Set([
  "MongoNetworkError",
  "MongoNetworkTimeoutError",
  "MongoPoolClearedError",
  "PoolClearedOnNetworkError",
  "MongoServerSelectionError",
  "MongoWaitQueueTimeoutError",
  "MongoOperationTimeoutError",
  "MongoStalePrimaryError",
  "MongoNotConnectedError",
  "MongoTopologyClosedError",
  "MongoClientClosedError",
  "MongoServerClosedError",
]);

/** Codes of a server that shuts down, is not the primary, or cannot replicate its writes in time. */
const unable = new Set<unknown>([
  6, 7, 50, 64, 89, 91, 100, 189, 262, 9001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

/** Codes of a socket that the server has just closed; mongodb 7.9 passes these on as they are. */
const unsent = new Set<unknown>([
  "EPIPE",
  "ECONNRESET",
  "ERR_SOCKET_CLOSED",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_WRITE_AFTER_END",
]);

/** The result of an operation. Rejects with the code `overloaded` where the server cannot be reached or takes no commands. */
export async function mapMongoErrors<Result>(operation: Promise<Result>): Promise<Result> {
  try {
    return await operation;
  } catch (error) {
    throw isUnavailable(error) ? overloaded(error) : error;
  }
}

function isUnavailable(error: unknown): boolean {
  const { name, code, errorResponse } = Object(error) as {
    name?: string;
    code?: unknown;
    errorResponse?: unknown;
  };
  if (unreached.has(name ?? "") || unable.has(code) || unsent.has(code)) return true;
  // A bulk write's own error holds the one that kept it from the server.
  return errorResponse instanceof Error && isUnavailable(errorResponse);
}

/**
 * The collection with operations that end, also those of its cursors: with the code `overloaded` when they take longer. The
 * driver has no deadline (its `timeoutMS` does nothing since 7.9). It waits for ever for a connection to take a command that
 * ended just before, and so does all that waits for the operation (docs/decisions/0186).
 */
export function withDeadline<Stored extends Document>(
  collection: Collection<Stored>,
  ms: number = commandMs,
): Collection<Stored> {
  return endingWithin(ms, collection);
}

/** What the driver makes for several commands: a cursor. */
interface Source {
  toArray?: unknown;
}

function endingWithin<Of extends object>(ms: number, source: Of): Of {
  return new Proxy(source, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, args);
        if (result instanceof Promise) return inTime(result, ms);
        return (Object(result) as Source).toArray ? endingWithin(ms, result as object) : result;
      };
    },
  });
}

/** The command may still be carried out later, as where a connection ends before its answer. */
export function inTime<Result>(command: Promise<Result>, ms: number = commandMs): Promise<Result> {
  return within(ms, command, () => {
    throw overloaded(new Error(`MongoDB has not answered within ${ms} ms`));
  });
}

function overloaded(cause: unknown): Error {
  return fail("overloaded", "The service cannot take this request right now. Try again shortly.", {}, cause);
}
