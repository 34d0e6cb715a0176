import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { toConfig } from "../../mixins/config/config.ts";
import { apiService } from "../../services/api/api.service.ts";
import { crawlerService } from "../../services/crawler/crawler.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { startCrawler } from "../integration/crawler/crawler.ts";
import { page } from "../integration/crawler/site.ts";
import { type Site, startSite } from "../support/http-site.ts";
import type { Magpie } from "../support/magpie.ts";
import { startNodes } from "../support/magpie-nodes.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { startRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";
import { installClients, runClient } from "./firecrawl/clients.ts";

/** What the client for JavaScript prints. */
interface FromJavaScript {
  page: Record<string, unknown>;
  picture: unknown;
  crawl: { status: string; total: number; paths: string[] };
  batch: { status: string; paths: string[] };
  toldOf: string;
  batchErrors: { errors: { url: string; error: string }[]; robotsBlocked: string[] };
  map: number;
  v1Map: number;
  [name: string]: unknown;
}

interface FromPython {
  page: Record<string, unknown>;
  crawl: { status: string; total: number; paths: string[] };
  map: number;
  [name: string]: unknown;
}

interface FromMcp {
  tools: string[];
  scrape: { isError: boolean; text: string };
  map: { isError: boolean; text: string };
  crawl: { isError: boolean; text: string };
}

const pages = 150;
const mongo = await startMongo();
let site: Site;
let reads = 0;
/** What the webhook of a job received. */
const hooks: { body: string; signature: string }[] = [];
let open: (() => Promise<unknown> | unknown)[] = [];

beforeAll(async () => {
  await installClients();
  site = await startSite(async (asked, response) => {
    const path = new URL(asked.url ?? "/", "http://site.test").pathname;
    if (path === "/hook") {
      hooks.push({
        body: Buffer.concat(await asked.toArray()).toString(),
        signature: String(asked.headers["x-firecrawl-signature"]),
      });
      return response.end();
    }
    response.setHeader("content-type", "text/html");
    if (path === "/live") {
      reads += 1;
      return response.end(page(`Read ${reads} times`));
    }
    if (path === "/few/") return response.end(page("A few", "/few/1", "/few/2"));
    if (path.startsWith("/few/")) return response.end(page(`One of the few: ${path}`));
    if (path === "/held") return;
    if (path === "/cut") return response.destroy();
    const number = Number(/^\/p\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
    if (path === "/" || path === "/p/") {
      const links = Array.from({ length: pages }, (_, n) => `/p/${n + 1}`);
      return response.end(page("All pages", ...links));
    }
    if (number >= 1 && number <= pages)
      return response.end(page(`Page ${number}`, "/", '<img src="/bird.png" alt="Bird">'));
    response.writeHead(404).end();
  });
}, 1_900_000);

afterAll(async () => {
  await site?.close();
  for (const close of open.reverse()) await close();
  open = [];
  await mongo.stop();
});

const machine = toConfig({ BROWSER_PATH: process.env.BROWSER_PATH, PATH: process.env.PATH });
const settings = {
  egressAllow: ["127.0.0.1"],
  browser: machine.browser,
  searchPath: machine.searchPath,
  crawl: { concurrency: 8, hostConcurrency: 8 },
  webhooks: { ...machine.webhooks, allowHttp: true },
};

async function oneGateway(): Promise<Pick<Magpie, "url" | "apiKey">> {
  const magpie = await startCrawler(settings);
  open.push(() => magpie.stop());
  return magpie;
}

async function twoGateways(): Promise<Pick<Magpie, "url" | "apiKey">> {
  const [nats, redis] = await Promise.all([startNats(), startRedis()]);
  for (const server of [nats, redis]) open.push(() => server.stop());
  const cluster = {
    natsUrl: nats.url,
    redisUrl: redis.url,
    mongoUrl: mongo.url,
    namespace: "firecrawl-peers",
  };
  const services = [keysService, webhookDispatcherService, scraperService, crawlerService];
  const nodes = await startNodes(cluster, settings, [...services, config => apiService(config)]);
  open.push(() => nodes.stop());
  const second = nodes.services.at(-1)?.getLocalService("api") as unknown as { address: string };
  return { url: await roundRobin([nodes.url, second.address]), apiKey: nodes.apiKey };
}

/** A load balancer without sticky sessions; it leaves the Host header as it is. */
async function roundRobin(gateways: string[]): Promise<string> {
  let asks = 0;
  const server: Server = createServer((incoming, answer) => {
    asks += 1;
    const { hostname, port } = new URL(gateways[asks % gateways.length] ?? "");
    const { method, url: path, headers } = incoming;
    const asked = request({ hostname, port, path, method, headers }, reply =>
      reply.pipe(answer.writeHead(reply.statusCode ?? 500, reply.headers)),
    );
    answer.on("close", () => asked.destroy());
    incoming.pipe(asked.on("error", () => answer.destroy()));
  }).listen(0, "127.0.0.1");
  await new Promise(resolve => server.once("listening", resolve));
  open.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const allPaths = ["/", ...Array.from({ length: pages }, (_, n) => `/p/${n + 1}`)].sort();
const threePaths = ["/p/1", "/p/2", "/p/3"];

describe("one gateway", () => clientsSuite(oneGateway));
withMongo(mongo).describe("two gateways behind a round robin", () => clientsSuite(twoGateways));

function clientsSuite(start: () => Promise<Pick<Magpie, "url" | "apiKey">>): void {
  let magpie: Pick<Magpie, "url" | "apiKey">;

  beforeAll(async () => {
    magpie = await start();
  }, 600_000);

  test("Firecrawl's client for JavaScript", async () => {
    const got = await runClient<FromJavaScript>("javascript.mjs", magpie.url, magpie.apiKey, site.url);
    expect(got.page).toMatchObject({
      markdown: expect.stringContaining("# Page 1"),
      html: expect.stringContaining("<h1>"),
      rawHtml: expect.stringContaining("<!doctype html>"),
      links: [`${site.url}/`],
      images: [`${site.url}/bird.png`],
      summary: expect.any(String),
      json: { title: "Page 1" },
      metadata: { statusCode: 200, sourceURL: `${site.url}/p/1` },
    });
    expect(got.picture).toEqual([200, "image/png"]);
    expect(got.crawl).toEqual({ status: "completed", total: allPaths.length, paths: allPaths });
    expect(got.batch).toEqual({ status: "completed", paths: threePaths });
    expect(got.batchErrors).toMatchObject({ errors: [{ url: `${site.url}/cut` }], robotsBlocked: [] });
    expect([got.map, got.v1Map]).toEqual([pages, pages]);
    const changed = {
      changeStatus: "changed",
      diff: { text: expect.stringContaining("@@"), json: { files: [{}] } },
    };
    expect(got.changes).toMatchObject([{ changeStatus: "new", previousScrapeAt: null }, changed]);
    const few = ["/few/", "/few/1", "/few/2"];
    expect([got.seen, got.v1Seen]).toEqual([
      { status: "completed", documents: few },
      ["completed", few.length],
    ]);
    expect(got).toMatchObject({
      ongoing: { success: true },
      tokens: { planTokens: expect.any(Number) },
    });
    expect(got.pastCredits).toMatchObject([{ apiKey: expect.any(String), totalCredits: expect.any(Number) }]);
    const isEnd = ({ body }: { body: string }) => body.includes(got.toldOf) && /crawl.completed/.test(body);
    await until("the webhook is told of the end", () => hooks.some(isEnd));
    const told = hooks.map(({ body }) => JSON.parse(body) as { id: string; type: string; metadata: object });
    expect(told.filter(({ id }) => id === got.toldOf)).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: "crawl.started", metadata: { mine: 1 } })]),
    );
    expect(hooks.every(({ signature }) => /^sha256=[0-9a-f]{64}$/.test(signature))).toBe(true);
    expect(got).toMatchObject({
      active: true,
      cancelled: true,
      afterCancel: "cancelled",
      extract: { success: true, status: "completed", data: { title: "Page 1" } },
      credits: { planCredits: expect.any(Number) },
      queue: { success: true },
      v1: { success: true, markdown: expect.stringContaining("# Page 2"), crawl: ["completed", 120] },
      v1Errors: { errors: [], robotsBlocked: [] },
      errors: {
        option: { status: 400, code: "BAD_REQUEST", message: expect.stringContaining("branding") },
        key: { status: 401, code: "UNAUTHORIZED" },
        unknown: { status: 404 },
        unreachable: { status: 500, code: "SCRAPE_SITE_ERROR" },
      },
    });
  }, 900_000);

  test("Firecrawl's client for Python, and the loaders of LangChain and LlamaIndex", async () => {
    const got = await runClient<FromPython>("clients.py", magpie.url, magpie.apiKey, site.url);
    expect(got.page).toMatchObject({
      markdown: expect.stringContaining("# Page 1"),
      raw_html: expect.stringContaining("<!doctype html>"),
      images: [`${site.url}/bird.png`],
      json: { title: "Page 1" },
      metadata: { status_code: 200, source_url: `${site.url}/p/1` },
    });
    expect(got.crawl).toEqual({ status: "completed", total: allPaths.length, paths: allPaths });
    expect(got.changes).toMatchObject([{ changeStatus: "new" }, { changeStatus: "changed" }]);
    expect(got).toMatchObject({
      seen: "completed",
      tokens: expect.any(Number),
      cancelled: true,
      afterCancel: "cancelled",
      batch: { status: "completed", paths: threePaths },
      batchErrors: [`${site.url}/cut`],
      crawlErrors: 0,
      again: ["hit", true],
      map: pages,
      v1: ["completed", 120],
      v1Page: expect.stringContaining("# Page 2"),
      langchain: [[expect.stringContaining("# Page 1")], 3],
      llamaIndex: [[expect.stringContaining("# Page 1")], 3],
      errors: {
        option: ["BadRequestError", expect.stringContaining("branding")],
        key: ["UnauthorizedError", expect.any(String)],
        unreachable: ["InternalServerError", expect.any(String)],
      },
    });
  }, 900_000);

  test("Firecrawl's server for language models", async () => {
    const got = await runClient<FromMcp>("mcp.mjs", magpie.url, magpie.apiKey, site.url);
    expect(got.tools).toContain("firecrawl_scrape");
    expect(got.scrape).toEqual({ isError: false, text: expect.stringContaining("# Page 1") });
    expect(got.map).toEqual({ isError: false, text: expect.stringContaining(`${site.url}/p/150`) });
    expect(got.crawl.isError).toBe(false);
  }, 900_000);
}
