import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { existsSync, mkdtempSync, readdirSync, watch, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { ServiceBroker } from "moleculer";
import { MongoClient } from "mongodb";
import { closeMongo, type Mongo, openMongo } from "../../mixins/cluster/mongo.ts";
import type { ClusterConfig } from "../../mixins/config/config.ts";
import { blobsMixin, type WithBlobs } from "../../mixins/store/blobs/blobs.mixin.ts";
import { folderOf } from "../../mixins/store/blobs/blobs.ts";
import { diskBlobs } from "../../mixins/store/blobs/disk.blobs.ts";
import { gridfsBlobs } from "../../mixins/store/blobs/gridfs.blobs.ts";
import { blobsSuite } from "../suites/blobs.suite.ts";
import { removeFolder } from "../support/folders.ts";
import { startMongo, withMongo, withOwnMongo } from "../support/mongo.ts";

const mongo = await startMongo();
afterAll(() => mongo.stop());

const temporary = () => mkdtempSync(join(tmpdir(), "magpie-blobs-"));

blobsSuite("disk", async () => {
  const root = temporary();
  let now = 1_800_000_000_000;
  return {
    blobs: diskBlobs(root, () => now),
    now: () => now,
    advance: ms => {
      now += ms;
    },
    close: async () => removeFolder(root),
  };
});

describe("blobs on disk", () => {
  const png = { owner: "ann", contentType: "image/png", ttlMs: 60_000 };
  let root: string;
  beforeEach(() => {
    root = temporary();
  });
  afterEach(() => removeFolder(root));

  test("a sweep clears the folders of past hours with what a dead process left in them", async () => {
    const key = await diskBlobs(root, () => 0).put(Buffer.from("x"), png);
    const [folder = ""] = readdirSync(root);
    writeFileSync(join(root, folder, `${key}.draft`), "half");
    expect(await diskBlobs(root).sweep(3_600_000)).toBe(1);
    expect(readdirSync(root)).toEqual([]);
  });

  test("a group goes although something is put into it at that moment", async () => {
    const blobs = diskBlobs(root);
    for (let n = 0; n < 6; n += 1) {
      const folder = join(
        root,
        folderOf(await blobs.put(Buffer.from("x"), { ...png, group: "crawl" })) ?? "",
      );
      for (let file = 0; file < 300; file += 1) writeFileSync(join(folder, `${file}`), "x");
      const watcher = watch(folder, () => {
        watcher.close();
        writeFile(join(folder, "late"), "x").catch(() => "the folder has gone");
      });
      await blobs.dropGroup("crawl");
      watcher.close();
      expect(existsSync(folder)).toBe(false);
    }
  });

  test("a write that fails leaves nothing and says so", async () => {
    writeFileSync(join(root, "file"), "");
    await expect(diskBlobs(join(root, "file")).put(Buffer.from("x"), png)).rejects.toThrow("ENOTDIR");
    expect(readdirSync(root)).toEqual(["file"]);
  });

  test("the mixin sweeps at start and finds what another start put", async () => {
    const boot = async () => {
      const broker = new ServiceBroker({ logger: false });
      const service = broker.createService({ name: "a", mixins: [blobsMixin({ dataDir: root })] });
      await broker.start();
      return { broker, blobs: (service as unknown as WithBlobs).blobs };
    };
    const first = await boot();
    const key = await first.blobs.put(Buffer.from("picture"), png);
    await diskBlobs(join(root, "blobs"), () => 0).put(Buffer.from("old"), png);
    await first.broker.stop();
    const second = await boot();
    const found = await second.blobs.open(key, "ann");
    expect(found && (await buffer(found.body)).toString()).toBe("picture");
    expect(readdirSync(join(root, "blobs"))).toHaveLength(1);
    await second.broker.stop();
  });
});

withMongo(mongo).describe("a cluster", inMongo);

function inMongo(): void {
  const png = { owner: "ann", contentType: "image/png" };
  let cluster: ClusterConfig;
  let opened = 0;
  /** An installation that no other test has seen, and a driver in it. */
  const open = async (now?: () => number) => {
    opened += 1;
    const namespace = `blobs-${process.pid}-${opened}`;
    cluster = { mongoUrl: mongo.url, namespace, natsUrl: "nats://none", redisUrl: "redis://none" };
    const found = await openMongo(cluster);
    return { ...found, blobs: await gridfsBlobs(found, now) };
  };
  const close = async ({ db, name }: Mongo) => {
    for (const part of ["files", "chunks"]) await db.dropCollection(`${name("blobs")}.${part}`);
    await closeMongo(cluster);
  };

  blobsSuite("GridFS", async () => {
    let now = 1_800_000_000_000;
    const place = await open(() => now);
    return {
      blobs: place.blobs,
      now: () => now,
      advance: ms => {
        now += ms;
      },
      close: () => close(place),
    };
  });

  describe("blobs in GridFS", () => {
    let place: Awaited<ReturnType<typeof open>>;
    beforeEach(async () => {
      place = await open();
    });
    afterEach(() => close(place));

    const chunks = () =>
      place.db.collection<{ files_id: string; n: number; data: Buffer }>(`${place.name("blobs")}.chunks`);

    test("what a dead process has left of an upload is never seen, and goes with its hour or its group", async () => {
      const timed = await place.blobs.put(Buffer.from("x"), { ...png, ttlMs: 1000 });
      const grouped = await place.blobs.put(Buffer.from("x"), { ...png, group: "crawl" });
      await place.db.collection(`${place.name("blobs")}.files`).deleteMany({});
      expect(await place.blobs.open(grouped, "ann")).toBeNull();
      await place.blobs.sweep(Date.now());
      expect(await chunks().countDocuments()).toBe(2);
      await place.blobs.sweep(Date.now() + 2000);
      expect(await chunks().distinct("files_id")).toEqual([grouped]);
      expect(timed).not.toBe(grouped);
      await place.blobs.dropGroup("crawl");
      expect(await chunks().countDocuments()).toBe(0);
    });

    test("several nodes sweep at once, and together count each blob once", async () => {
      for (let n = 0; n < 10; n += 1) await place.blobs.put(Buffer.from("x"), { ...png, ttlMs: 1 });
      const others = await Promise.all([1, 2, 3].map(() => gridfsBlobs(place)));
      const removed = await Promise.all(others.map(node => node.sweep(Date.now() + 1000)));
      expect(removed.reduce((sum, one) => sum + one)).toBe(10);
      expect(await chunks().countDocuments()).toBe(0);
    });

    test("the mixin of one node finds what that of another has put, and closes what it opened", async () => {
      const boot = async () => {
        const broker = new ServiceBroker({ logger: false });
        const mixins = [blobsMixin({ dataDir: "/nowhere", cluster })];
        const service = broker.createService({ name: "a", mixins });
        await broker.start();
        return { broker, blobs: (service as unknown as WithBlobs).blobs };
      };
      const [one, two] = [await boot(), await boot()];
      const key = await one.blobs.put(Buffer.from("picture"), { ...png, ttlMs: 60_000 });
      const found = await two.blobs.open(key, "ann");
      expect(found && (await buffer(found.body)).toString()).toBe("picture");
      await Promise.all([one.broker.stop(), two.broker.stop()]);
    });

    test.each<[string, () => Promise<unknown>]>([
      ["gone", () => chunks().deleteOne({ n: 1 })],
      ["cut short", () => chunks().updateOne({ n: 1 }, { $set: { data: Buffer.from("x") } })],
    ])("a part that is %s fails the reading", async (_, spoil) => {
      const key = await place.blobs.put(Buffer.alloc(600_000, "x"), { ...png, ttlMs: 60_000 });
      const found = await place.blobs.open(key, "ann");
      await spoil();
      await expect(found && buffer(found.body)).rejects.toThrow(/chunk 1/);
    });

    test("the reading ends when the connection has ended just before a part is asked for", async () => {
      const sockets: Socket[] = [];
      const note = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
      subscribe("net.client.socket", note);
      const client = new MongoClient(mongo.url, { monitorCommands: true, retryReads: false });
      try {
        const blobs = await gridfsBlobs({ db: client.db(place.db.databaseName), name: place.name });
        const key = await blobs.put(Buffer.from("picture"), { ...png, ttlMs: 60_000 });
        const found = await blobs.open(key, "ann");
        client.on("commandStarted", ({ commandName }) => {
          if (commandName === "find") for (const socket of sockets) socket.destroy();
        });
        const overloaded = expect.objectContaining({ type: "overloaded" });
        await expect(found && buffer(found.body)).rejects.toEqual(overloaded);
      } finally {
        unsubscribe("net.client.socket", note);
        await client.close();
      }
    }, 60_000);

    withOwnMongo(mongo).test("a server that is away is told as overloaded, and heals", async () => {
      const key = await place.blobs.put(Buffer.from("picture"), { ...png, ttlMs: 60_000 });
      await mongo.kill();
      const overloaded = expect.objectContaining({ type: "overloaded" });
      await expect(place.blobs.put(Buffer.from("x"), { ...png, ttlMs: 1 })).rejects.toEqual(overloaded);
      await expect(place.blobs.open(key, "ann")).rejects.toEqual(overloaded);
      await expect(place.blobs.sweep(0)).rejects.toEqual(overloaded);
      await mongo.restart();
      const found = await place.blobs.open(key, "ann");
      expect(found && (await buffer(found.body)).toString()).toBe("picture");
    });
  });
}
