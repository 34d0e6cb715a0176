import type { MongoClient } from "mongodb";

/** Of MongoDB 5.0, the oldest whose documents may have fields that begin with `$`. */
const oldestWireVersion = 13;
/** Unauthorized, AuthenticationFailed, and Atlas' own. */
const credentialCodes = new Set<unknown>([13, 18, 8000]);

/** Connects; rejects with a sentence that names MONGO_URL and what to do, without the URL, which may hold a password. */
export async function firstConnection(client: MongoClient, database: string): Promise<void> {
  let version: unknown;
  try {
    await client.connect();
    const hello = await client.db("admin").command({ hello: 1 });
    version = hello.maxWireVersion;
    // `hello` is answered to anyone; this only to whom the server lets in.
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
    return "the server does not take the user or the password of the URL. Check both, and the parameter authSource.";
  if (name === "MongoCompatibilityError") return "the server is too old. Magpie needs MongoDB 5.0 or newer.";
  if (/certificate|SSL|TLS/i.test(message))
    return `no TLS connection could be made (${message}). Check the certificate and the parameters tls and tlsCAFile.`;
  return `the server cannot be reached (${message}). Check that it runs, and that host and port of the URL are right.`;
}
