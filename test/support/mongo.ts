import { findOnPath } from "./debian-binary.ts";
import { buildFerret } from "./ferretdb.ts";
import { noteForRun } from "./run-notes.ts";
import { givenServer, type Server, type StartOptions, startServer } from "./server.ts";

/** What speaks MongoDB's protocol. */
export interface TestMongo extends Server {
  kind: "mongod" | "FerretDB" | "given";
}

/**
 * The server of MONGO_URL; else one of its own on a free port of 127.0.0.1, which keeps what it acknowledged: mongod
 * where it is installed, FerretDB where Go can build it. Null where there is none of these, for tests to be skipped;
 * the run says so at its end, as it says which one it was.
 */
export async function startMongo(options?: StartOptions): Promise<TestMongo | null> {
  const mongo = await start(options);
  noteForRun(`MongoDB: ${mongo ? names[mongo.kind] : none}`);
  return mongo;
}

const names = { mongod: "mongod", FerretDB: "FerretDB 1.24 on SQLite", given: "the server of MONGO_URL" };
const none =
  "its tests were skipped, since there is no MONGO_URL, no mongod, and no Go 1.21 or later to build FerretDB with";

async function start(options?: StartOptions): Promise<TestMongo | null> {
  if (process.env.MONGO_URL) return { ...givenServer(process.env.MONGO_URL), kind: "given" };
  const mongod = findOnPath("mongod");
  if (mongod)
    return own("mongod", { path: mongod, args: mongodArgs, ready: "Waiting for connections" }, options);
  const ferret = await buildFerret();
  if (ferret === null) return null;
  return own("FerretDB", { path: ferret, args: ferretArgs, ready: "ferretdb is ready" }, options);
}

interface Program {
  path: string;
  args(port: number, folder: string): string[];
  ready: string;
}

const mongodArgs = (port: number, folder: string) => [
  ...["--bind_ip", "127.0.0.1"],
  ...["--port", String(port), "--dbpath", folder],
];
const ferretArgs = (port: number, folder: string) => [`127.0.0.1:${port}`, folder];

async function own(
  kind: "mongod" | "FerretDB",
  { path, args, ready }: Program,
  options?: StartOptions,
): Promise<TestMongo> {
  const name = kind.toLowerCase();
  const program = { ...options, name, binary: { path, env: {} }, scheme: "mongodb", args, ready };
  return Object.assign(await startServer(program), { kind });
}
