import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { checkIdentity } from "../../mixins/cluster/join-cluster.ts";
import { closeMongo, openMongo } from "../../mixins/cluster/mongo.ts";
import { RedisConnection } from "../../mixins/cluster/redis.ts";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { adminService } from "../../services/admin/admin.service.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { crawlerService } from "../../services/crawler/crawler.service.ts";
import { historyService } from "../../services/history/history.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { watchOverrides } from "../suites/watches.suite.ts";
import { runCommand, startCommand } from "../support/command.ts";
import { removeFolder } from "../support/folders.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Nodes, startNodes } from "../support/magpie-nodes.ts";
import { startMongo, startReplicaSet, withOwnMongo } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { startRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const set = await startReplicaSet();
const [nats, redis] = await Promise.all([startNats(), startRedis()]);
const folder = mkdtempSync(join(tmpdir(), "magpie-cluster-backup-"));
const archive = join(folder, "backup.tar.gz");
let site: Site;
let receiver: Receiver;

afterAll(async () => {
  await receiver?.close();
  await site?.close();
  await Promise.all([set, nats, redis].map(server => server.stop()));
  await removeFolder(folder);
});

const magpie = (namespace: string, ...args: string[]) => runCommand(args, envOf(namespace));

function envOf(namespace: string, mongoUrl = set.url): Record<string, string> {
  const urls = { NATS_URL: nats.url, REDIS_URL: redis.url, MONGO_URL: mongoUrl };
  return { ...urls, CLUSTER_NAMESPACE: namespace, HOME: folder, DATA_DIR: join(folder, "none") };
}

const services = [
  ...[keysService, webhookDispatcherService, scraperService, crawlerService, connectorsService],
  ...[trackerService, historyService, adminService],
];

const running: Nodes[] = [];
afterEach(async () => {
  for (const nodes of running.splice(0)) await nodes.stop();
});

async function startAs(namespace: string): Promise<Nodes> {
  const cluster = { natsUrl: nats.url, redisUrl: redis.url, mongoUrl: set.url, namespace };
  const config: Partial<Config> = {
    ...watchOverrides(1000),
    // So long that no endpoint is FAILED while its receiver is away.
    webhooks: { allowHttp: true, backoffMs: [10_000, 10_000, 10_000, 10_000] },
    crawl: { concurrency: 2, hostConcurrency: 2 },
    browser: { ...toConfig({}).browser, path: "/nowhere" },
    scraperIdleMs: Number.POSITIVE_INFINITY,
  };
  const nodes = await startNodes(cluster, config, services);
  running.push(nodes);
  return nodes;
}

interface Told {
  seq: number;
  id: string;
  type: string;
}

async function eventsOf(nodes: Nodes): Promise<Told[]> {
  const events: Told[] = [];
  for (let after = 0; ; ) {
    const reply = await nodes.request("GET", `/events?after=${after}&limit=100`);
    if (reply.status !== 200) throw new Error(reply.text);
    const { data, next_after } = reply.json<{ data: Told[]; next_after: number }>();
    events.push(...data);
    if (data.length === 0) return events;
    after = next_after;
  }
}

const post = async (nodes: Nodes, text: string) => {
  const body = { platform: "microblog", username: "corvid_lab", text };
  const reply = await nodes.request("POST", "/internal/sandbox/post", { admin: true, body });
  if (reply.status >= 300) throw new Error(reply.text);
};

const plain = { js_render: { enabled: false } };

async function accept(nodes: Nodes, path: string, body: object): Promise<Record<string, string>> {
  const reply = await nodes.request("POST", path, { body });
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.json<Record<string, string>>();
}

const scrape = async (nodes: Nodes, n: number) => {
  const body = { url: `${site.url}/slow/${n}`, mode: "async", ...plain };
  return (await accept(nodes, "/web/scrape", body)).scrape_id as string;
};

const pagesOfCrawl = 60;

/** Pages take a while, so that scrapes and crawls are under way whenever one looks. */
function answer(path: string): string | null {
  if (path === "/robots.txt") return null;
  const links = Array.from({ length: pagesOfCrawl - 1 }, (_, n) => `<a href="/of/${n}">${n}</a>`);
  const words = `<p>${`This is ${path} of the site. `.repeat(20)}</p>`;
  return `<title>${path}</title>${words}${path === "/of/" ? links.join(" ") : ""}`;
}

withOwnMongo(set).describe("a backup of a cluster that works", () => {
  beforeAll(async () => {
    receiver = await startReceiver();
    site = await startSite((request, response) => {
      const page = answer(request.url ?? "/");
      setTimeout(() => {
        response.writeHead(page === null ? 404 : 200, { "content-type": "text/html" }).end(page ?? "");
      }, 100);
    });
  });

  test("has all that was acknowledged; restored nodes go on with every event, delivery, scrape and crawl", async () => {
    const nodes = await startAs("from");
    await accept(nodes, "/track/microblog", { sid: "corvid_lab" });
    await accept(nodes, "/webhook", { url: receiver.url });
    for (let n = 0; n < 20; n += 1) await post(nodes, `before ${n}`);
    await until("there are events", async () => (await eventsOf(nodes)).length >= 20);
    await until("they are delivered", () => receiver.taken().length >= 20);
    // What follows waits in the lane, so positions differ from the ends of logs.
    receiver.behave(503);
    const crawlBody = { url: `${site.url}/of/`, crawler: { limit: pagesOfCrawl, max_depth: 3 }, ...plain };
    const { crawl_id: crawlId } = await accept(nodes, "/web/crawl", crawlBody);
    const before: string[] = [];
    for (let n = 0; n < 15; n += 1) before.push(await scrape(nodes, n));
    const known = await eventsOf(nodes);
    let isOver = false;
    const load = async () => {
      for (let n = 0; !isOver; n += 1) {
        await post(nodes, `meanwhile ${n}`);
        await scrape(nodes, 1000 + n);
      }
    };
    const loads = [load(), load()];
    const killed = startCommand(["backup", join(folder, "killed.tar.gz")], envOf("from"));
    await until("a draft is there", () => readdirSync(folder).some(name => name.endsWith(".part")));
    killed.child.kill("SIGKILL");
    await killed.end;
    const made = await magpie("from", "backup", archive);
    expect([made.code, made.stderr]).toEqual([0, expect.stringMatching(/^It holds no credentials/)]);
    await until("there is more", async () => (await eventsOf(nodes)).length > known.length + 10);
    isOver = true;
    await Promise.all(loads);
    const given = await eventsOf(nodes);
    await running.pop()?.stop();

    // Of a backup that was killed there is a draft, and no restore takes it.
    expect(existsSync(join(folder, "killed.tar.gz"))).toBe(false);
    const draft = readdirSync(folder).find(name => name.endsWith(".part")) ?? "";
    expect(await magpie("into", "restore", join(folder, draft))).toMatchObject({ code: 1 });

    expect(await magpie("from", "restore", archive)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/The servers hold/),
    });
    expect(await magpie("into", "restore", archive)).toMatchObject({ code: 0, stderr: "" });
    const deliveredBefore = receiver.taken().length;
    receiver.behave(200);
    const restored = await startAs("into");
    const first = await eventsOf(restored);
    expect(first.slice(0, known.length)).toMatchObject(known.map(({ id, seq }) => ({ id, seq })));
    // No hole: what the backup has is the beginning of what was given.
    const highest = Math.max(...given.map(({ seq }) => seq));
    const old = first.filter(({ seq }) => seq <= highest);
    expect(old).toMatchObject(given.slice(0, old.length).map(({ id, seq }) => ({ id, seq })));
    await post(restored, "after");
    const isNew = ({ seq }: Told) => seq > highest;
    await until("the log goes on", async () => (await eventsOf(restored)).some(isNew));
    const all = await eventsOf(restored);
    expect(all.filter(({ seq }) => seq <= highest)).toHaveLength(old.length);
    const delivered = () => new Set(receiver.taken().map(({ event }) => event.id));
    await until("all are delivered", () => all.every(({ id }) => delivered().has(id)));
    // The lane went on where it was: what had been delivered before the backup is not delivered again.
    const again = receiver
      .taken()
      .slice(deliveredBefore)
      .map(({ event }) => event.id);
    expect(known.filter(({ id }) => again.includes(id))).toEqual([]);

    for (const id of before)
      await until(`the scrape ${id} has ended`, async () => {
        const reply = await restored.request("GET", `/web/scrape/${id}`);
        return reply.json<{ status: string }>().status === "completed";
      });
    await until("the crawl has ended", async () => {
      const reply = await restored.request("GET", `/web/crawl/${crawlId}`);
      const { status, progress } = reply.json<{ status: string; progress: { completed: number } }>();
      return status === "completed" && progress.completed === pagesOfCrawl;
    });
  }, 300_000);

  test("nodes refuse what a restore has left, and the next restore begins anew", async () => {
    const client = await MongoClient.connect(set.url);
    const facts = client.db("half").collection<{ _id: string; value?: string }>("half_cluster");
    await facts.insertOne({ _id: "restore", value: "2026-01-01T00:00:00.000Z" });
    await client.db("half").collection("half_api_keys").insertOne({ name: "of a half restore" });
    const place = { mongoUrl: set.url, namespace: "half" };
    const [mongo, inspector] = [await openMongo(place), new RedisConnection(redis.url)];
    await inspector.set("half:log:growths", 7);
    await expect(checkIdentity(mongo, inspector, "half")).rejects.toThrow(/restore/);
    expect(await magpie("half", "restore", archive)).toMatchObject({ code: 0 });
    expect(await facts.countDocuments({ _id: "restore" })).toBe(0);
    expect(
      await client.db("half").collection("half_api_keys").countDocuments({ name: "of a half restore" }),
    ).toBe(0);
    expect(await checkIdentity(mongo, inspector, "half")).toMatch(/-/);
    inspector.disconnect();
    await closeMongo(place);
    await client.close();
  }, 120_000);

  test("a single MongoDB is read only where no node runs", async () => {
    const mongo = await startMongo();
    const inspector = new RedisConnection(redis.url);
    await inspector.set("single:lease:scraper:1", "held");
    const file = join(folder, "single.tar.gz");
    const refused = await runCommand(["backup", file], envOf("single", mongo.url));
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/replica set/) });
    await inspector.del("single:lease:scraper:1");
    expect(await runCommand(["backup", file], envOf("single", mongo.url))).toMatchObject({ code: 0 });
    inspector.disconnect();
    await mongo.stop();
  }, 120_000);
});
