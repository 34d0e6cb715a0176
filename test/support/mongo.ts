import { findOnPath } from "./debian-binary.ts";
import { buildFerret } from "./ferretdb.ts";
import { noteForRun } from "./run-notes.ts";
import { startServer, type TestServer } from "./server.ts";

/** What speaks MongoDB's protocol; one that is given by MONGO_URL has no pid, and can neither be killed nor stopped. */
export interface TestMongo extends Omit<TestServer, "port"> {
  kind: "mongod" | "FerretDB" | "given";
}

/**
 * The server of MONGO_URL; else one of its own on a free port of 127.0.0.1, which keeps what it acknowledged: mongod
 * where it is installed, FerretDB where Go can build it. Null where there is none of these, for tests to be skipped;
 * the run says so at its end, as it says which one it was.
 */
export async function startMongo(): Promise<TestMongo | null> {
  const mongo = await start();
  noteForRun(`MongoDB: ${mongo ? names[mongo.kind] : none}`);
  return mongo;
}

const names = { mongod: "mongod", FerretDB: "FerretDB 1.24 on SQLite", given: "the server of MONGO_URL" };
const none =
  "its tests were skipped, since there is no MONGO_URL, no mongod, and no Go to build FerretDB with";

async function start(): Promise<TestMongo | null> {
  if (process.env.MONGO_URL) return given(process.env.MONGO_URL);
  const mongod = findOnPath("mongod");
  if (mongod) return own("mongod", mongod, mongodArgs, "Waiting for connections");
  const ferret = await buildFerret();
  return ferret === null ? null : own("FerretDB", ferret, ferretArgs, "ferretdb is ready");
}

const mongodArgs = (port: number, folder: string) => [
  ...["--bind_ip", "127.0.0.1"],
  ...["--port", String(port), "--dbpath", folder],
];
const ferretArgs = (port: number, folder: string) => [`127.0.0.1:${port}`, folder];

async function own(
  kind: "mongod" | "FerretDB",
  path: string,
  args: (port: number, folder: string) => string[],
  ready: string,
): Promise<TestMongo> {
  const program = { name: kind.toLowerCase(), binary: { path, env: {} }, scheme: "mongodb", args, ready };
  return Object.assign(await startServer(program), { kind });
}

function given(url: string): TestMongo {
  const refuse = async () => {
    throw new Error("The server of MONGO_URL is not this run's own");
  };
  return { url, kind: "given", pid: undefined, kill: refuse, restart: refuse, stop: async () => undefined };
}
