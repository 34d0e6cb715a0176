import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { ServiceBroker } from "moleculer";
import { openEmbeddedFrontier } from "../../mixins/frontier/embedded.frontier.ts";
import { frontierMixin, type WithFrontier } from "../../mixins/frontier/frontier.mixin.ts";
import { openRedisFrontier } from "../../mixins/frontier/redis.frontier.ts";
import { closeDatabase, openDatabase } from "../../mixins/store/sqlite/database.ts";
import { codeOf } from "../../services/contracts/errors.ts";
import { frontierSuite } from "../suites/frontier.suite.ts";
import { removeFolder } from "../support/folders.ts";
import { startRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const folders: string[] = [];
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "magpie-frontier-"));
  folders.push(path);
  return path;
};
afterAll(async () => {
  for (const path of folders) await removeFolder(path);
});

frontierSuite("sqlite", async () => {
  const frontier = openEmbeddedFrontier(join(folder(), "magpie.db"));
  return { frontier, close: () => frontier.close() };
});

frontierSuite("redis", async () => {
  const redis = await startRedis();
  const frontier = openRedisFrontier({ url: redis.url, prefix: "frontier", onError: () => undefined });
  return {
    frontier,
    close: async () => {
      await frontier.close();
      await redis.stop();
    },
  };
});

const page = (key: string) => ({
  key,
  url: `https://site.example/${key}`,
  depth: 1,
  hops: 0,
  from: null,
  external: false,
});
const bounds = { limit: 1_000_000, maxDiscovered: 1_000_000 };

describe("the embedded frontier", () => {
  test("no query of it reads a whole table or sorts", () => {
    const path = join(folder(), "magpie.db");
    const database = openDatabase(path);
    const frontier = openEmbeddedFrontier(path);
    const plan = (sql: string) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(row => String(row.detail))
        .filter(detail => /SCAN|TEMP B-TREE/.test(detail));
    const pages = "SELECT n FROM frontier_pages WHERE crawl = 1 AND";
    for (const sql of [
      `${pages} state = 'ready' ORDER BY place, n LIMIT 5`,
      `${pages} state = 'delayed' ORDER BY due, n LIMIT 5`,
      `${pages} state = 'running' ORDER BY n LIMIT 5`,
      `${pages} state = ? AND seq > 5 ORDER BY seq LIMIT 5`,
      `${pages} key = 'a'`,
      `${pages} TRUE LIMIT 5`,
      "UPDATE frontier_pages SET state = 'ready' WHERE crawl = 1 AND state = 'delayed' AND due <= 9",
      "UPDATE frontier_pages SET state = 'ready', place = -1 WHERE crawl = 1 AND state = 'running'",
      "SELECT * FROM frontier_crawls WHERE crawl_id = 'a'",
    ])
      expect([sql, plan(sql)]).toEqual([sql, []]);
    frontier.close();
    closeDatabase(path);
  });

  test("nothing is left of a dropped crawl", async () => {
    const path = join(folder(), "magpie.db");
    const database = openDatabase(path);
    const frontier = openEmbeddedFrontier(path);
    await frontier.open("a", 1, bounds);
    await frontier.offer(
      "a",
      1,
      Array.from({ length: 1000 }, (_, n) => page(`p${n}`)),
    );
    await frontier.drop("a");
    const count = (table: string) => database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n;
    expect(["frontier_crawls", "frontier_pages"].map(count)).toEqual([0, 0]);
    await frontier.close();
    closeDatabase(path);
  });

  test("a finish that breaks off is completed by the next driver, with the first reason", async () => {
    const path = join(folder(), "magpie.db");
    const first = openEmbeddedFrontier(path);
    await first.open("a", 1, bounds);
    await first.offer(
      "a",
      1,
      Array.from({ length: 1700 }, (_, n) => page(`p${n}`)),
    );
    const broken = expect(first.finish("a", 1, "cancelled")).rejects.toThrow();
    await first.close();
    await broken;
    const second = openEmbeddedFrontier(path);
    expect(await second.open("a", 2, bounds)).toMatchObject({ discovered: 1700, queued: 1200 });
    expect(await second.take("a", 2, 9, 0)).toEqual([]);
    expect(await second.finish("a", 2, "limit")).toMatchObject({ queued: 0, skipped: 1700 });
    const ended = await second.settled("a", { after: 0, limit: 2000 });
    expect(new Set(ended.map(({ reason }) => reason))).toEqual(new Set(["cancelled"]));
    await second.close();
  });

  test("services of one process share it, and it is there after a restart", async () => {
    const dataDir = folder();
    const start = async () => {
      const broker = new ServiceBroker({ logger: false });
      const services = ["one", "two"].map(name =>
        broker.createService({ name, mixins: [frontierMixin({ dataDir })] }),
      );
      await broker.start();
      return { broker, frontiers: services.map(service => (service as unknown as WithFrontier).frontier) };
    };
    const { broker, frontiers } = await start();
    await frontiers[0]?.open("a", 1, bounds);
    await frontiers[0]?.offer("a", 1, [page("p")]);
    expect(await frontiers[1]?.take("a", 1, 9, 0)).toHaveLength(1);
    await broker.stop();
    const again = await start();
    expect(await again.frontiers[0]?.counts("a")).toMatchObject({ discovered: 1, running: 1 });
    await again.broker.stop();
  });
});

describe("the frontier in Redis", () => {
  test("nodes of one installation share it, and installations do not meet", async () => {
    const redis = await startRedis();
    const brokers = ["magpie", "magpie", "other"].map(namespace => {
      const broker = new ServiceBroker({ logger: false });
      const cluster = { natsUrl: "", mongoUrl: "", redisUrl: redis.url, namespace };
      const service = broker.createService({ name: "a", mixins: [frontierMixin({ dataDir: "", cluster })] });
      return { broker, service: service as unknown as WithFrontier };
    });
    for (const { broker } of brokers) await broker.start();
    const [one, two, other] = brokers.map(({ service }) => service.frontier);
    await one?.open("a", 1, bounds);
    await one?.offer("a", 1, [page("p")]);
    expect(await two?.take("a", 1, 9, 0)).toHaveLength(1);
    expect(await other?.counts("a")).toMatchObject({ discovered: 0 });
    const client = new Redis(redis.url);
    expect((await client.keys("*")).filter(key => !key.startsWith("magpie:frontier:"))).toEqual([]);
    for (const { broker } of brokers) await broker.stop();
    await until("its connections are closed", async () => isAlone(await client.client("LIST")));
    client.disconnect();
    await redis.stop();
  });

  test("what was acknowledged is there after a kill of Redis; a step in between rejects in time", async () => {
    const redis = await startRedis();
    const frontier = openRedisFrontier({ url: redis.url, prefix: "frontier", onError: () => undefined });
    await frontier.open("a", 1, bounds);
    await frontier.offer("a", 1, [page("p"), page("q")]);
    await frontier.take("a", 1, 1, 0);
    await redis.kill();
    const settled = frontier.settle("a", 1, "p", { state: "completed" }, []);
    expect(await settled.catch(codeOf)).toBe("overloaded");
    await redis.restart();
    expect(await frontier.open("a", 2, bounds)).toMatchObject({ queued: 2, running: 0 });
    expect((await frontier.take("a", 2, 9, 0)).map(({ key }) => key)).toEqual(["p", "q"]);
    await frontier.close();
    await redis.stop();
  });

  test("all keys of a crawl have one hash tag, and a dropped one leaves none", async () => {
    const redis = await startRedis();
    const frontier = openRedisFrontier({ url: redis.url, prefix: "frontier", onError: () => undefined });
    const client = new Redis(redis.url);
    await frontier.open("a", 1, bounds);
    await frontier.offer("a", 1, ["p", "q", "r", "s"].map(page));
    await frontier.take("a", 1, 3, 0);
    await frontier.settle("a", 1, "p", { state: "failed", reason: "tls_error" }, []);
    await frontier.postpone("a", 1, "q", 5);
    const keys = await client.keys("*");
    expect(keys.length).toBeGreaterThan(5);
    expect(keys.filter(key => !key.startsWith("frontier:{a}:"))).toEqual([]);
    await frontier.drop("a");
    expect(await client.keys("*")).toEqual([]);
    client.disconnect();
    await frontier.close();
    await redis.stop();
  });
});

function isAlone(connections: unknown): boolean {
  return String(connections).trim().split("\n").length === 1;
}

describe("kill -9", () => {
  const driver = `
    import { openEmbeddedFrontier } from "./mixins/frontier/embedded.frontier.ts";
    const [path, fence] = [process.argv[1], Number(process.argv[2])];
    const frontier = openEmbeddedFrontier(path);
    const page = n => ({ key: "k" + n, url: "https://site.example/" + n, depth: 1, hops: 0, from: null, external: false });
    await frontier.open("a", fence, { limit: 150, maxDiscovered: 100000 });
    await frontier.offer("a", fence, [page(1)]);
    for (;;) {
      const claims = await frontier.take("a", fence, 8, Date.now());
      if (claims.length === 0) break;
      for (const { key } of claims) {
        const n = Number(key.slice(1));
        await frontier.settle("a", fence, key, { state: n % 5 === 0 ? "skipped" : "completed" }, [page(2 * n), page(2 * n + 1), page(3)]);
        await new Promise(done => process.stdout.write(key + "\\n", done));
      }
    }
    process.stdout.write("end\\n");`;
  const drive = (path: string, fence: number): ChildProcess =>
    spawn(process.execPath, ["--input-type=module", "-e", driver, path, String(fence)], {
      stdio: ["ignore", "pipe", "inherit"],
    });

  test("at any moment: what was acknowledged stands, the limit is exact, no page ends twice", async () => {
    const path = join(folder(), "magpie.db");
    const acknowledged: string[] = [];
    let isDone = false;
    for (let fence = 1; !isDone; fence++) {
      const child = drive(path, fence);
      const most = acknowledged.length + 35;
      child.stdout?.on("data", chunk => {
        acknowledged.push(...String(chunk).trim().split("\n"));
        if (acknowledged.length >= most) child.kill("SIGKILL");
      });
      await once(child, "close");
      isDone = acknowledged.at(-1) === "end";
    }
    acknowledged.pop();
    const frontier = openEmbeddedFrontier(path);
    const ended = await frontier.settled("a", { after: 0, limit: 10_000 });
    expect(ended.map(({ seq }) => seq)).toEqual(ended.map((_, n) => n + 1));
    const keys = ended.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    expect(keys).toEqual(expect.arrayContaining(acknowledged));
    expect(await frontier.counts("a")).toMatchObject({ running: 0, completed: 150 });
    await frontier.close();
  });
});
