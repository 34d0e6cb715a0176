import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addresses } from "../dev/servers.ts";
import type { ServiceNode } from "../dev/service-node.ts";
import { type Cluster, serviceNames, startCluster } from "../dev/start-cluster.ts";
import { runCommand } from "../support/command.ts";
import { removeFolder } from "../support/folders.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { type Received, type Receiver, startReceiver } from "../support/receiver.ts";
import { startRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const mongo = await startMongo();
/** Of the command, beside the cluster that is tested. */
const place = { CLUSTER_NAMESPACE: "second", PORT: "0", LOG_FORMAT: "json", RUN_NOTES: "" };

withMongo(mongo).describe("a cluster of one process per service", () => {
  let cluster: Cluster;
  let site: Site;
  let receiver: Receiver;
  let items = 1;
  let key = "";

  beforeAll(async () => {
    site = await startSite(pages(() => items));
    receiver = await startReceiver();
    cluster = await startCluster({
      servers: { nats: await startNats(), redis: await startRedis(), mongo },
      env: {
        ...{ EGRESS_ALLOW: "127.0.0.1/32", WEBHOOK_ALLOW_HTTP: "true" },
        ...{ POLL_MIN_INTERVAL: "1s", SANDBOX_POST_EVERY: "off" },
      },
    });
  });

  afterAll(async () => {
    await cluster.stop();
    await Promise.all(Object.values(cluster.servers).map(server => server.stop()));
    await Promise.all([site.close(), receiver.close()]);
  });

  test("every service is a process and a node of its own, and tells how it is", async () => {
    expect(cluster.nodes.map(({ service }) => service)).toEqual(serviceNames());
    expect(new Set(cluster.nodes.map(({ pid }) => pid)).size).toBe(cluster.nodes.length);
    expect(new Set(cluster.nodes.map(({ node }) => node)).size).toBe(cluster.nodes.length);
    for (const { health } of cluster.nodes)
      expect((await fetch(`${health}/health/ready`, { signal: AbortSignal.timeout(20_000) })).status).toBe(
        200,
      );
  });

  test("a key is made", async () => {
    const made = await ask<{ data: { key: string } }>("POST", "/internal/keys", {
      owner: "ann",
      name: "first",
    });
    key = made.data.key;
    const own = await ask<{ data: { apiKeys: unknown[] } }>("GET", "/users/me/api-keys");
    expect(own.data.apiKeys).toHaveLength(1);
  });

  test("a page is scraped, with a screenshot that any node finds", async () => {
    const { data } = await ask<{ data: { markdown: string; screenshot: string } }>("POST", "/web/scrape", {
      url: `${site.url}/`,
      output: { formats: ["markdown", "screenshot"] },
    });
    expect(data.markdown).toMatch(/Seven boats/);
    const picture = await send("GET", `/web/screenshot/${data.screenshot}`);
    expect(
      Buffer.from(await picture.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
  });

  test("what is new in a feed is delivered, signed", async () => {
    const hook = await ask<{ data: { secret: string } }>("POST", "/webhook", { url: `${receiver.url}/hook` });
    receiver.trust(hook.data.secret);
    await ask("POST", "/track/rss", { sid: `${site.url}/feed.xml` });
    items = 2;
    await until("the new item is delivered", () => receiver.received.some(isItem("i2")));
    expect(new Set(receiver.received.filter(isItem("i2")).map(({ id }) => id)).size).toBe(1);
    expect(receiver.received.every(({ verified }) => verified)).toBe(true);
  });

  test("a site is crawled", async () => {
    const { crawl_id } = await ask<{ crawl_id: string }>("POST", "/web/crawl", { url: `${site.url}/` });
    const status = () =>
      ask<{ status: string; progress: { completed: number }; data: unknown[] }>(
        "GET",
        `/web/crawl/${crawl_id}`,
      );
    await until("the crawl has ended", async () => (await status()).status !== "crawling");
    expect(await status()).toMatchObject({ status: "completed", progress: { completed: 3 } });
  });

  test("the REPL backfills by handle and range, and a dry run of a dispatch says what is known", async () => {
    await ask("POST", "/track/microblog", { sid: "quiet_wren" });
    for (const text of ["First post.", "Second post."])
      await ask("POST", "/internal/sandbox/post", { platform: "microblog", username: "quiet_wren", text });
    const folder = mkdtempSync(join(tmpdir(), "magpie-console-"));
    const file = join(folder, "posts.jsonl");
    writeFileSync(file, ["7", "8"].map(id => `${JSON.stringify(crafted(id))}\n`).join(""));
    const commands = [
      ...["backfill @quiet_wren --since 2020-01-01", "backfill @quiet_wren --until 2020-01-01"],
      ...[`dispatch ${file} --dry-run`, `dispatch ${file}`, `dispatch ${file} --dry-run`],
    ];
    const { code, stdout } = await runCommand(
      ["repl", "--server", cluster.url],
      { ADMIN_KEY: cluster.adminKey, DATA_DIR: folder, HOME: folder },
      `${commands.join("\n")}\n`,
    );
    const said = stdout.match(/^(?:Fetched|Dispatched|Dry run).*$/gm);
    expect([code, said]).toEqual([
      0,
      [
        "Fetched 2 posts.",
        "Fetched 0 posts.",
        "Dry run, nothing was dispatched: 2 new, 0 known, 0 untracked, 0 invalid.",
        "Dispatched 2 posts.",
        "Dry run, nothing was dispatched: 0 new, 2 known, 0 untracked, 0 invalid.",
      ],
    ]);
    const isOf = (text: string) => (each: Received) => JSON.stringify(each.event.data).includes(text);
    await until("both posts are delivered", () =>
      ["7", "8"].every(id => receiver.received.some(isOf(`Post ${id}.`))),
    );
    await removeFolder(folder);
  });

  test("a service that was killed is back with its restart, a gateway on its port", async () => {
    for (const service of ["keys", "api"]) {
      const before = nodeOf(service).pid;
      await nodeOf(service).restart();
      expect(nodeOf(service).pid).not.toBe(before);
    }
    const isBack = () => ask("GET", "/users/me/api-keys").then(Boolean, () => false);
    await until("the gateway finds the keys", isBack);
  });

  test("a service that is paused leaves the bus, and is back when it goes on", async () => {
    const tracker = nodeOf("tracker");
    const { node } = tracker;
    tracker.pause();
    await until("it has left", () => tracker.node === undefined);
    tracker.resume();
    await until("it is back", () => tracker.node === node);
  });

  test("the command tells who is where and who died, and takes all with it when it ends", async () => {
    const folder = mkdtempSync(join(tmpdir(), "magpie-command-"));
    const nodes = serviceNames().map(service => `${service}=${{ api: 1, keys: 2 }[service] ?? 0}`);
    const command = spawn(process.execPath, ["tools/cluster.ts", "--nodes", nodes.join(",")], {
      env: { ...process.env, ...addresses(cluster.servers), ...place, DATA_DIR: folder },
    });
    let output = "";
    for (const stream of [command.stdout, command.stderr])
      stream.on("data", chunk => {
        output += chunk;
      });
    const ended = once(command, "exit");
    await until("it is introduced", () => /^Try it:\n {2}curl .*\n/m.test(output));
    const pids = [...output.matchAll(/^(?:api|keys) +(\d+) /gm)].map(([, pid]) => Number(pid));
    expect(pids).toHaveLength(3);
    process.kill(pids[2] ?? 0, "SIGKILL");
    await until("it tells of the death", () => /^keys-2 \(pid \d+\) was ended by SIGKILL/m.test(output));
    command.kill("SIGINT");
    expect(await ended).toEqual([0, null]);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    await removeFolder(folder);
  });

  function nodeOf(service: string): ServiceNode {
    const node = cluster.nodes.find(each => each.service === service);
    if (!node) throw new Error(`there is no ${service}`);
    return node;
  }

  /** The answer of a request that succeeds; with the admin key where the path is an administrator's. */
  async function ask<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await send(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Body;
  }

  function send(method: string, path: string, body?: unknown): Promise<Response> {
    const isAdmin = path.startsWith("/internal/");
    return fetch(cluster.url + path, {
      method,
      signal: AbortSignal.timeout(45_000),
      headers: {
        ...(isAdmin ? { "x-admin-key": cluster.adminKey } : { "x-api-key": key }),
        "content-type": "application/json",
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }
});

/** A post of an account that is tracked, as a network writes it. */
function crafted(rest_id: string) {
  const author = { rest_id: "1005", name: "Quiet Wren", username: "quiet_wren" };
  const counts = { favorite_count: 7, repost_count: 0, reply_count: 0 };
  const created_at = "Wed Oct 10 20:19:24 +0000 2018";
  return {
    ...{ rest_id, core: { user_results: { result: author } } },
    legacy: { full_text: `Post ${rest_id}.`, created_at, ...counts },
  };
}

function pages(items: () => number) {
  const page = (title: string, text: string, links: string) =>
    `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${text}</p>${links}</main>`;
  return {
    "/": page("Harbour", "Seven boats lie in the harbour.", "<a href=/one>One</a> <a href=/two>Two</a>"),
    "/one": page("One", "The first boat is red.", ""),
    "/two": page("Two", "The second boat is green.", ""),
    "/feed.xml": (_request: unknown, response: ServerResponse) => {
      const entries = Array.from({ length: items() }, (_, at) => `i${items() - at}`);
      const list = entries.map(
        id => `<item><guid isPermaLink="false">${id}</guid><title>${id}</title></item>`,
      );
      response.writeHead(200, { "content-type": "application/rss+xml" });
      response.end(`<rss version="2.0"><channel><title>Harbour</title>${list.join("")}</channel></rss>`);
    },
  };
}

function isItem(id: string) {
  return ({ event }: Received) => (event.data as { item?: { title: string } }).item?.title === id;
}
