import { type Config, toConfig } from "../../../mixins/config/config.ts";
import type { CrawlerContext } from "../../../services/crawler/context.ts";
import { crawlerService } from "../../../services/crawler/crawler.service.ts";
import { keysService } from "../../../services/keys/keys.service.ts";
import { scraperService } from "../../../services/scraper/scraper.service.ts";
import { webhookDispatcherService } from "../../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type Magpie, type Reply, type RequestOptions, startMagpie } from "../../support/magpie.ts";
import { until } from "../../support/until.ts";
import { untilWarm } from "../../support/until-warm.ts";

/** What a client gets, written by hand from the interface: a change of the wire breaks a test. */
export interface Crawl {
  crawl_id: string;
  version: string;
  status: string;
  url: string;
  stop_reason: string | null;
  progress: {
    discovered: number;
    queued: number;
    running: number;
    completed: number;
    failed: number;
    skipped: number;
  };
  data: {
    markdown?: string;
    links?: string[];
    metadata: { title?: string; status_code?: number; final_url: string };
    error?: { code: string; message: string };
  }[];
  next_cursor: string | null;
  started_at: string;
  ended_at: string | null;
  expires_at: string | null;
  error?: { code: string; message: string };
}

export interface Listed {
  url: string;
  status: string;
  code: string;
  message: string;
}

export interface Refusal {
  code: string;
  message: string;
  retry_after?: number;
  details?: { field: string; code: string }[];
}

export interface Crawler extends Magpie {
  start(body: unknown, options?: RequestOptions): Promise<Reply>;
  /** A crawl that must be accepted; its id. */
  accepted(body: unknown, options?: RequestOptions): Promise<string>;
  status(id: string, query?: string, options?: RequestOptions): Promise<Crawl>;
  /** Waits for the end. */
  ended(id: string): Promise<Crawl>;
  /** The paths of the pages that were read, sorted. */
  pages(id: string): Promise<string[]>;
  /** Everything that did not become a result, by path: its code. */
  errors(id: string): Promise<Record<string, string>>;
  /** The context of the service. */
  context(): CrawlerContext;
  newKey(owner: string, limits?: Record<string, number>): Promise<string>;
}

/** The gateway with the real services that crawls need, which may go to 127.0.0.1. Pages are read without a browser. */
export async function startCrawler(overrides: Partial<Config> = {}): Promise<Crawler> {
  const magpie = await startMagpie(
    {
      egressAllow: ["127.0.0.1"],
      webhooks: { allowHttp: true, backoffMs: [10] },
      crawl: { concurrency: 4, hostConcurrency: 4 },
      browser: { ...toConfig({}).browser, path: "/nowhere" },
      scraperIdleMs: Number.POSITIVE_INFINITY,
      ...overrides,
    },
    config => [
      keysService(config),
      scraperService(config),
      webhookDispatcherService(config),
      crawlerService(config),
    ],
  );
  await untilWarm(magpie.broker);
  const context = () =>
    (magpie.broker.getLocalService("crawler") as unknown as { context: CrawlerContext }).context;
  return { ...magpie, ...crawlerOf(magpie), context };
}

/** Crawls of an installation, as its clients ask for them. */
export function crawlerOf(
  magpie: Pick<Magpie, "request">,
): Omit<Crawler, Exclude<keyof Magpie, "request"> | "context"> {
  const request: Magpie["request"] = (...args) => magpie.request(...args);
  const start: Crawler["start"] = (body, options) =>
    request("POST", "/web/crawl", { body: plain(body), ...options });
  const status: Crawler["status"] = async (id, query = "", options = {}) => {
    const reply = await request("GET", `/web/crawl/${id}${query}`, options);
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
    return reply.json<Crawl>();
  };
  const ended: Crawler["ended"] = async id => {
    await until("the crawl ends", async () => (await status(id, "?limit=1")).status !== "crawling");
    return await status(id, "?limit=100");
  };
  return {
    request,
    start,
    accepted: async (body, options) => {
      const reply = await start(body, options);
      if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
      return reply.json<{ crawl_id: string }>().crawl_id;
    },
    status,
    ended,
    pages: async id => (await ended(id)).data.map(({ metadata }) => pathOf(metadata.final_url)).sort(),
    errors: async id => {
      const reply = await request("GET", `/web/crawl/${id}/errors?limit=100`);
      const { data } = reply.json<{ data: Listed[] }>();
      return Object.fromEntries(data.map(({ url, code }) => [pathOf(url), code]));
    },
    newKey: async (owner, limits) => {
      const body = { owner, name: "test", ...(limits && { limits }) };
      const reply = await request("POST", "/internal/keys", { admin: true, body });
      return reply.json<{ data: { key: string } }>().data.key;
    },
  };
}

export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Without the browser, and without the lists of ads, which take a while to load. */
function plain(body: unknown): unknown {
  return { js_render: { enabled: false }, request: { block_ads: false }, ...Object(body) };
}
