import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import type { RoomNode } from "../cluster/room-node.ts";
import { type Cluster, startCluster } from "../cluster/start-cluster.ts";
import { expectCrawl } from "../support/generated-site/expect-crawl.ts";
import { type Ask, beginCrawl, followCrawl } from "../support/generated-site/follow-crawl.ts";
import { judgeCrawl } from "../support/generated-site/judge-crawl.ts";
import { type ServedSite, serveSite } from "../support/generated-site/serve.ts";
import { generateSite } from "../support/generated-site.ts";
import { startSite } from "../support/http-site.ts";
import { startMongo, type TestMongo } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { startRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const mongo = await startMongo();
const patienceMs = 120_000;
const concurrency = 4;
/** Longer than a node that is silent is taken for alive. */
const pausedMs = 12_000;

if (mongo) inCluster(mongo);
else test.skip("a crawl whose nodes are killed", () => undefined);

function inCluster(mongo: TestMongo): void {
  const agent = new Agent();
  const graph = generateSite({ seed: 5, pages: 400 });
  let cluster: Cluster;
  let site: ServedSite;
  let visits = 0;
  let faults = 0;

  beforeAll(async () => {
    // Nodes go one over another, so that any visit may be one of a life after; how many came again is counted.
    site = await serveSite(graph, { life: () => ++visits, slowMs: 100 });
    cluster = await startCluster({
      servers: { nats: await startNats(), redis: await startRedis(), mongo },
      nodes: { crawler: 2, scraper: 2, tracker: 0, connectors: 0, admin: 0 },
      env: {
        EGRESS_ALLOW: "127.0.0.1/32",
        CRAWL_CONCURRENCY: String(concurrency),
        CRAWL_HOST_CONCURRENCY: String(concurrency),
        LOG_LEVEL: "error",
      },
    });
  }, patienceMs);

  afterAll(async () => {
    await cluster?.stop();
    await Promise.all(Object.values(cluster?.servers ?? {}).map(server => server.stop()));
    await site?.close();
    await agent.close();
  }, patienceMs);

  const ask: Ask = async (method, path, body) => {
    const { statusCode, body: answer } = await request(cluster.url + path, {
      ...{ method: method as "GET", dispatcher: agent, signal: AbortSignal.timeout(20_000) },
      headers: { "x-api-key": cluster.apiKey, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    // While both nodes of a room are away.
    if (statusCode === 503) {
      await answer.dump();
      await delay(500);
      return ask(method, path, body);
    }
    if (statusCode !== 200) throw new Error(`${statusCode} ${await answer.text()}`);
    return await answer.json();
  };

  const nodesOf = (room: string): RoomNode[] => cluster.rooms.filter(node => node.room === room);

  test(
    "killed and stopped, crawlers and scrapers bring a crawl to the same end",
    async () => {
      let isOver = false;
      const back: Promise<unknown>[] = [];
      const id = await beginCrawl(ask, site.origin + graph.entry);
      const following = followCrawl(ask, id).finally(() => {
        isOver = true;
      });
      /** Once more pages have been read than may be under way, so that the crawl has come on. */
      const nextFault = async () => {
        const enough = site.visits.length + 2 * concurrency + 2;
        await until("more is read", () => isOver || site.visits.length >= enough, patienceMs);
        if (!isOver) faults += 1;
      };
      const [crawlers, scrapers] = [nodesOf("crawler"), nodesOf("scraper")];
      for (const node of [crawlers[0], scrapers[0], crawlers[1]]) {
        await nextFault();
        await node?.kill();
        back.push(node?.restart() ?? Promise.resolve());
      }
      await Promise.all(back);
      for (const node of crawlers) {
        await nextFault();
        node.pause();
        back.push(delay(pausedMs).then(() => node.resume()));
      }
      const [end] = await Promise.all([following, ...back]);
      const bounds = { limit: 100_000, inFlight: 2 * concurrency };
      expect(judgeCrawl(graph, expectCrawl(graph), site.visits, end, bounds)).toEqual([]);
      expect(faults).toBeGreaterThanOrEqual(3);
      expect(repeats(site)).toBeLessThanOrEqual(faults * bounds.inFlight);
    },
    3 * patienceMs,
  );

  const ends: [string, (node: RoomNode) => unknown][] = [
    ["is killed", node => node.kill()],
    ["stops, before the page is there,", node => process.kill(node.pid, "SIGTERM")],
  ];
  test.each(ends)("synchronous scrapes whose node %s are made by the other", async (_how, end) => {
    const waiting: ServerResponse[] = [];
    const give = (response: ServerResponse) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<main><p>Seven boats.</p></main>");
    let isHeld = true;
    const held = await startSite((_, response) => {
      if (isHeld) waiting.push(response);
      else give(response);
    });
    const body = JSON.stringify({ url: `${held.url}/`, js_render: { enabled: false } });
    const scrape = async () => {
      const answer = await request(`${cluster.url}/web/scrape`, {
        ...{ method: "POST", dispatcher: agent, body, signal: AbortSignal.timeout(patienceMs / 2) },
        headers: { "x-api-key": cluster.apiKey, "content-type": "application/json" },
      });
      return [answer.statusCode, await answer.body.text()];
    };
    try {
      const answers = Promise.all(Array.from({ length: 4 }, scrape));
      await until("all are under way", () => waiting.length === 4);
      const [ended] = nodesOf("scraper");
      if (ended) await end(ended);
      await until("some are made again", () => waiting.length > 4);
      isHeld = false;
      waiting.map(give);
      for (const answer of await answers) expect(answer).toEqual([200, expect.stringMatching("Seven boats")]);
      await ended?.restart();
    } finally {
      await held.close();
    }
  });
}

/** Pages that were read once more although the site had given them. */
function repeats({ visits }: ServedSite): number {
  const given = visits.filter(({ id, status }) => id !== null && status !== 429 && status !== 503);
  return given.length - new Set(given.map(({ id }) => id)).size;
}
