import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import type { ServiceNode } from "../dev/service-node.ts";
import { type Cluster, startCluster } from "../dev/start-cluster.ts";
import { expectCrawl } from "../support/generated-site/expect-crawl.ts";
import { type Ask, beginCrawl, followCrawl } from "../support/generated-site/follow-crawl.ts";
import { judgeCrawl } from "../support/generated-site/judge-crawl.ts";
import { type ServedSite, serveSite } from "../support/generated-site/serve.ts";
import { generateSite } from "../support/generated-site.ts";
import { startSite } from "../support/http-site.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { startRedis } from "../support/redis.ts";
import { withoutBrowser } from "../support/start-args.ts";
import { until } from "../support/until.ts";

const mongo = await startMongo();
const timeoutMs = 120_000;
const concurrency = 4;
/** Longer than a node that is silent is taken for alive. */
const pausedMs = 12_000;

/** A page of a batch's results, written by hand from the interface. */
interface BatchPages {
  progress: Record<string, number>;
  data: { metadata: { source_url: string } }[];
  next_cursor: string | null;
}

withMongo(mongo).describe("in a cluster", inCluster);

function inCluster(): void {
  const agent = new Agent();
  const graph = generateSite({ seed: 5, pages: 200 });
  let cluster: Cluster;
  let site: ServedSite;
  let key: string;
  let visits = 0;
  let faults = 0;

  beforeAll(async () => {
    // Nodes go one over another, so that any visit may be one of a life after; how many came again is counted.
    site = await serveSite(graph, { life: () => ++visits, slowMs: 100 });
    cluster = await startCluster({
      servers: { nats: await startNats(), redis: await startRedis(), mongo },
      nodes: { crawler: 2, scraper: 2, tracker: 0, connectors: 0, admin: 0 },
      env: {
        ...withoutBrowser,
        EGRESS_ALLOW: "127.0.0.1/32",
        CRAWL_CONCURRENCY: String(concurrency),
        CRAWL_HOST_CONCURRENCY: String(concurrency),
        LOG_LEVEL: "error",
        NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(preload)}`,
      },
    });
    key = await unlimitedKey(cluster);
  });

  afterAll(async () => {
    await cluster?.stop();
    await Promise.all(Object.values(cluster?.servers ?? {}).map(server => server.stop()));
    await site?.close();
    await agent.close();
  });

  const ask: Ask = async (method, path, body) => {
    const { statusCode, body: answer } = await request(cluster.url + path, {
      ...{ method: method as "GET", dispatcher: agent, signal: AbortSignal.timeout(60_000) },
      headers: { "x-api-key": key, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    // While both nodes of a service are away.
    if (statusCode === 503) {
      await answer.dump();
      await delay(500);
      return ask(method, path, body);
    }
    if (statusCode !== 200) throw new Error(`${statusCode} ${await answer.text()}`);
    return await answer.json();
  };

  const nodesOf = (service: string): ServiceNode[] => cluster.nodes.filter(node => node.service === service);

  test("killed and stopped, crawlers and scrapers bring a crawl to the same end", async () => {
    let isOver = false;
    const back: Promise<unknown>[] = [];
    const id = await beginCrawl(ask, site.origin + graph.entry);
    const following = followCrawl(ask, id).finally(() => {
      isOver = true;
    });
    /** Once more pages have been read than may be under way, so that the crawl has come on. */
    const nextFault = async () => {
      const enough = site.visits.length + 2 * concurrency + 2;
      await until("more is read", () => isOver || site.visits.length >= enough, timeoutMs);
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
  });

  test("killed, a crawler and a scraper bring a batch to its end, with each page once", async () => {
    const listed = await startSite((_, response) => {
      setTimeout(() => response.setHeader("content-type", "text/html").end("<main>Seven boats.</main>"), 50);
    });
    try {
      const urls = Array.from({ length: 150 }, (_, n) => `${listed.url}/${n}`);
      const body = { urls, js_render: { enabled: false }, request: { block_ads: false } };
      const { batch_id } = (await ask("POST", "/web/batch", body)) as { batch_id: string };
      const back: Promise<unknown>[] = [];
      for (const node of [nodesOf("crawler")[0], nodesOf("scraper")[0]]) {
        const enough = listed.hits.length + 2 * concurrency + 2;
        await until("more is read", () => listed.hits.length >= enough, timeoutMs);
        await node?.kill();
        back.push(node?.restart() ?? Promise.resolve());
      }
      await Promise.all(back);
      const seen: string[] = [];
      let cursor = "";
      await until(
        "the list ends",
        async () => {
          const some = (await ask("GET", `/web/batch/${batch_id}?limit=40${cursor}`)) as BatchPages;
          seen.push(...some.data.map(({ metadata }) => metadata.source_url));
          cursor = `&cursor=${some.next_cursor}`;
          if (some.next_cursor === null)
            expect(some.progress).toMatchObject({ discovered: 150, completed: 150 });
          return some.next_cursor === null;
        },
        timeoutMs,
      );
      expect(seen.toSorted()).toEqual(urls.toSorted());
      expect(listed.hits.length - urls.length).toBeLessThanOrEqual(2 * 2 * concurrency);
    } finally {
      await listed.close();
    }
  });

  test.each(["ends", "throws"])(
    "a page that %s its scrapers fails; pages that were read meanwhile do not",
    async name => {
      const culprit = `/${name}`;
      const others = ["/a", "/b", "/c"];
      const page = `<main>Seven boats.${[culprit, ...others].map(link => `<a href="${link}">${link}</a>`)}</main>`;
      const give = (response: ServerResponse) => response.setHeader("content-type", "text/html").end(page);
      const waiting: ServerResponse[] = [];
      const asked = () => site.hits.filter(({ url }) => url === culprit).length;
      const site = await startSite(({ url = "" }, response) => {
        if (url === "/robots.txt") return response.writeHead(404).end();
        if (url === culprit) return asked() >= 2 && waiting.splice(0).map(give);
        return others.includes(url) && asked() < 2 ? waiting.push(response) : give(response);
      });
      let isOver = false;
      try {
        const body = { url: `${site.url}/`, crawler: { sitemaps: false }, js_render: { enabled: false } };
        const { crawl_id } = (await ask("POST", "/web/crawl", body)) as { crawl_id: string };
        const following = followCrawl(ask, crawl_id).finally(() => {
          isOver = true;
        });
        const alive = nodesOf("scraper").map(node => keepAlive(node, () => isOver));
        const [end] = await Promise.all([following, ...alive]);
        expect(end).toMatchObject({
          ...{ status: "completed", errors: [site.url + culprit] },
          progress: { completed: 4, failed: 1 },
        });
        expect(asked()).toBeGreaterThanOrEqual(2);
        expect(asked()).toBeLessThanOrEqual(3);
      } finally {
        isOver = true;
        await site.close();
      }
    },
  );

  const ends: [string, (node: ServiceNode) => unknown][] = [
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
    const given: [number, string][] = [];
    const scrape = async () => {
      const answer = await request(`${cluster.url}/web/scrape`, {
        ...{ method: "POST", dispatcher: agent, body, signal: AbortSignal.timeout(timeoutMs / 2) },
        headers: { "x-api-key": key, "content-type": "application/json" },
      });
      given.push([answer.statusCode, await answer.body.text()]);
    };
    /** That so many have been asked for, and none was answered before the site gave it. */
    const areUnderWay = (count: number) => () => {
      if (given.length > 0) throw new Error(`Answered too early: ${given}`);
      return waiting.length >= count;
    };
    try {
      const scrapers = nodesOf("scraper");
      // One that a page has ended may still be ending.
      await Promise.all(scrapers.map(node => keepAlive(node, () => node.node !== undefined)));
      const answers = Promise.all(Array.from({ length: 4 }, scrape));
      await until("all are under way", areUnderWay(4));
      const holder = waiting[0]?.req.headers["x-process"];
      const ended = scrapers.find(({ pid }) => String(pid) === holder);
      if (!ended) throw new Error(`No scraper is the process ${holder}`);
      const before = waiting.length;
      await end(ended);
      await until("some are made again", areUnderWay(before + 1));
      isHeld = false;
      waiting.map(give);
      await answers;
      for (const answer of given) expect(answer).toEqual([200, expect.stringMatching("Seven boats")]);
      await ended.restart();
    } finally {
      await held.close();
    }
  });
}

/** A key that may ask as often as it wants: what follows a crawl asks more often than keys may. */
async function unlimitedKey({ url, adminKey }: Cluster): Promise<string> {
  const limits = { requestsPerMinute: 1_000_000 };
  const response = await fetch(`${url}/internal/keys`, {
    method: "POST",
    headers: { "x-admin-key": adminKey, "content-type": "application/json" },
    body: JSON.stringify({ owner: "default", name: "follows crawls", limits }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { data: { key: string } }).data.key;
}

/**
 * A page `/ends` kills the process that asks for it; `/throws` ends it by an error that nobody handles. Every request
 * names its process.
 */
const preload = `
  import { subscribe } from "node:diagnostics_channel";
  subscribe("undici:request:create", ({ request }) => {
    request.addHeader("x-process", String(process.pid));
    if (request.path === "/ends") setTimeout(() => process.kill(process.pid, "SIGKILL"), 300);
    if (request.path === "/throws") setTimeout(() => { throw new Error("unforeseen"); }, 300);
  });`;

/** Starts a node again whenever it has died, as a supervisor does. */
async function keepAlive(node: ServiceNode, isOver: () => boolean): Promise<void> {
  await until(
    "all is over",
    async () => {
      if (node.node === undefined) await node.restart();
      return isOver();
    },
    timeoutMs,
  );
}

/** Pages that were read once more although the site had given them. */
function repeats({ visits }: ServedSite): number {
  const given = visits.filter(({ id, status }) => id !== null && status !== 429 && status !== 503);
  return given.length - new Set(given.map(({ id }) => id)).size;
}
