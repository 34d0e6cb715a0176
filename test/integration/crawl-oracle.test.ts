import { toConfig } from "../../mixins/config/config.ts";
import { crawlerService } from "../../services/crawler/crawler.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type CrawlRules, expectCrawl } from "../support/generated-site/expect-crawl.ts";
import { type Ask, beginCrawl, followCrawl } from "../support/generated-site/follow-crawl.ts";
import { judgeCrawl } from "../support/generated-site/judge-crawl.ts";
import { type ServedSite, type ServeOptions, serveSite } from "../support/generated-site/serve.ts";
import { generateSite, type SiteOptions } from "../support/generated-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { untilWarm } from "../support/until-warm.ts";

const unlimited = 100_000;

const gateways = new Map<number, { magpie: Magpie; ask: Ask }>();
let open: ServedSite[] = [];

afterEach(async () => {
  await Promise.all(open.map(site => site.close()));
  open = [];
});

afterAll(async () => {
  await Promise.all([...gateways.values()].map(({ magpie }) => magpie.stop()));
});

/** The gateway and the services that crawl, reading so many pages at a time from one host. Without a browser. */
async function gatewayOf(concurrency: number): Promise<Ask> {
  const known = gateways.get(concurrency);
  if (known) return known.ask;
  const magpie = await startMagpie(
    {
      egressAllow: ["127.0.0.1"],
      crawl: { concurrency, hostConcurrency: concurrency },
      browser: { ...toConfig({}).browser, path: "/nowhere" },
      scraperIdleMs: Number.POSITIVE_INFINITY,
    },
    config => [
      keysService(config),
      scraperService(config),
      webhookDispatcherService(config),
      crawlerService(config),
    ],
  );
  await untilWarm(magpie.broker);
  const limits = { requestsPerMinute: 1_000_000 };
  const body = { owner: "ann", name: "crawls", limits };
  const made = await magpie.request("POST", "/internal/keys", { admin: true, body });
  const { key } = made.json<{ data: { key: string } }>().data;
  const ask: Ask = async (method, path, body) => {
    const reply = await magpie.request(method, path, { key, body });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.json();
  };
  gateways.set(concurrency, { magpie, ask });
  return ask;
}

interface Case {
  site?: Partial<SiteOptions>;
  serve?: ServeOptions;
  concurrency?: number;
  rules?: CrawlRules;
  crawler?: { limit?: number; [name: string]: unknown };
}

async function crawl({ site: options, serve, concurrency = 8, rules, crawler = {} }: Case) {
  const graph = generateSite({ seed: 11, pages: 70, ...options });
  const site = await serveSite(graph, serve);
  open.push(site);
  const ask = await gatewayOf(concurrency);
  const id = await beginCrawl(ask, site.origin + graph.entry, crawler);
  const end = await followCrawl(ask, id);
  const bounds = { limit: crawler.limit ?? unlimited, inFlight: 0 };
  const expected = expectCrawl(graph, rules);
  return { end, site, expected, wrong: judgeCrawl(graph, expected, site.visits, end, bounds) };
}

test.each([1, 8, 32])("%i at a time: every page once, and all of them", async concurrency => {
  const { wrong, end, expected } = await crawl({ concurrency, site: { pages: 150, seed: concurrency } });
  expect(wrong).toEqual([]);
  expect(end.stopReason).toBe("finished");
  expect(end.progress.completed).toBe(expected.pages.size + expected.missing.size);
});

test.each([
  [1, 1],
  [1, 30],
  [8, 57],
  [32, 2],
  [32, 62],
])("%i at a time: a limit of %i is exact", async (concurrency, limit) => {
  const { wrong, end } = await crawl({ concurrency, site: { seed: limit }, crawler: { limit } });
  expect(wrong).toEqual([]);
  expect(end.stopReason).toBe("limit");
});

test.each<[string, Case]>([
  ["the whole host", { rules: { wholeHost: true }, crawler: { include_entire_domain: true } }],
  ["links elsewhere, one hop", { rules: { external: true }, crawler: { include_external_links: true } }],
  ["no sitemaps", { rules: { sitemaps: false }, crawler: { sitemaps: false } }],
  [
    "a depth, one at a time",
    { concurrency: 1, rules: { maxDepth: 2, sitemaps: false }, crawler: { max_depth: 2, sitemaps: false } },
  ],
  [
    "patterns that include, as a glob over the path",
    { rules: { takes: id => id.startsWith("/docs/section-") }, crawler: { include: ["/docs/section-*/**"] } },
  ],
  [
    "patterns that exclude, as an expression",
    { rules: { takes: id => !/moved|old/.test(id) }, crawler: { exclude: ["/\\/docs\\/(moved|old)/"] } },
  ],
])("options: %s", async (_, wanted) => {
  expect((await crawl(wanted)).wrong).toEqual([]);
});

const nothingCloses = { allows: () => true, sitemaps: false };

test.each<[string, ServeOptions["robots"], CrawlRules]>([
  ["there is none: all is open", { status: 404, text: "" }, nothingCloses],
  [
    "its own group stands above the others",
    { status: 200, text: "User-agent: *\nDisallow: /\n\nUser-agent: magpie\nDisallow: /docs/section-1" },
    { ...nothingCloses, allows: id => !id.startsWith("/docs/section-1") },
  ],
  [
    "the longest rule decides, whatever its place",
    { status: 200, text: "User-agent: *\nAllow: /docs/section-21\nDisallow: /*/section-2\n" },
    {
      ...nothingCloses,
      allows: id => !id.startsWith("/docs/section-2") || id.startsWith("/docs/section-21"),
    },
  ],
])("robots.txt: %s", async (_, robots, rules) => {
  const site = { hard: false, pages: 60 };
  expect((await crawl({ site, serve: { robots }, rules })).wrong).toEqual([]);
});

test("a robots.txt that closes the entry fails the crawl, and no page is fetched", async () => {
  const robots = { status: 200, text: "User-agent: *\nDisallow: /docs/$" };
  const { end, site } = await crawl({ site: { hard: false, pages: 5 }, serve: { robots } });
  expect([end.status, end.stopReason]).toEqual(["failed", "entry_failed"]);
  expect(site.visits.map(({ target }) => target)).toEqual(["/robots.txt"]);
});

test("a calendar without end is ended by the limit", async () => {
  const { end, site } = await crawl({
    site: { hard: false, pages: 20, trap: true },
    crawler: { limit: 200 },
  });
  const { completed, failed, skipped, discovered } = end.progress;
  expect([end.status, end.stopReason, completed, failed]).toEqual(["completed", "limit", 200, 0]);
  expect(discovered).toBe(200 + skipped);
  const visited = site.visits.flatMap(({ id }) => id ?? []);
  expect(visited).toHaveLength(200);
  expect(new Set(visited).size).toBe(200);
});
