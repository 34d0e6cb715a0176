import type { ServiceSchema } from "moleculer";
import { type Config, toConfig } from "../../../mixins/config/config.ts";
import { jobListRoutes } from "../../../services/api/routes/job-lists.routes.ts";
import { keyAdminRoutes, keyRoutes } from "../../../services/api/routes/key.routes.ts";
import { operationRoutes } from "../../../services/api/routes/operation.routes.ts";
import { webRoutes } from "../../../services/api/routes/scrape.routes.ts";
import { keysService } from "../../../services/keys/keys.service.ts";
import { scraperService } from "../../../services/scraper/scraper.service.ts";
import { type Magpie, type Reply, type RequestOptions, startMagpie } from "../../support/magpie.ts";

/** What a client gets, written by hand from the interface: a change of the wire breaks a test. */
export interface Job {
  scrape_id: string;
  version: string;
  status: string;
  url: string;
  data: {
    markdown?: string;
    html?: string;
    raw_html?: string;
    links?: string[];
    images?: string[];
    summary?: string;
    json?: Record<string, unknown>;
    json_recipe?: Record<string, unknown>;
    json_quotes?: Record<string, string>;
    screenshot?: string;
    actions?: { screenshots: string[] };
    metadata: {
      title: string;
      status_code: number;
      final_url: string;
      description: string | null;
      language: string | null;
      canonical_url: string | null;
      page_title: string | null;
      author: string | null;
      published_time: string | null;
      modified_time: string | null;
      keywords: string[] | null;
      site_name: string | null;
      favicon: string | null;
      image: string | null;
      robots: string | null;
      content_type: string;
      word_count: number;
      og: Record<string, string>;
      engine: string;
      proxy_location: string | null;
      cached_at?: string;
      warning?: string;
    };
  };
  started_at: string;
  ended_at: string;
}

export interface Refusal {
  status: string;
  code: string;
  error: string;
  message: string;
  request_id: string;
  scrape_id?: string;
  content_type?: string;
  rules?: string[];
  retry_after?: number;
  details?: { field: string; code: string; message: string }[];
}

export interface Scraper extends Magpie {
  dataDir: string;
  scrape(body: unknown, options?: RequestOptions): Promise<Reply>;
  /** A scrape that must succeed. */
  job(body: unknown, options?: RequestOptions): Promise<Job>;
  /** A scrape that must fail; the reply's status and code come first, to be compared in one line. */
  refusal(body: unknown, options?: RequestOptions): Promise<[status: number, code: string, body: Refusal]>;
  newKey(owner: string, limits?: Record<string, number>): Promise<string>;
}

/** Those of the scraper: a route that names another service would leave the gateway unready without it. */
const scrapeLists = jobListRoutes.filter(
  ({ action }) => action.kind === "service" && action.name.startsWith("scraper."),
);

/** The gateway with the real keys and scraper services, which may go to the given ports of 127.0.0.1 only. */
export async function startScraper(
  ports: number[],
  overrides: Partial<Config> = {},
  others: (config: Config) => ServiceSchema[] = () => [],
): Promise<Scraper> {
  const machine = toConfig({ BROWSER_PATH: process.env.BROWSER_PATH, PATH: process.env.PATH });
  let dataDir = "";
  const magpie = await startMagpie(
    {
      egressAllow: ports.map(port => `127.0.0.1:${port}`),
      browser: machine.browser,
      searchPath: machine.searchPath,
      scraperIdleMs: Number.POSITIVE_INFINITY,
      ...overrides,
    },
    config => {
      dataDir = config.dataDir;
      return [keysService(config), scraperService(config), ...others(config)];
    },
    { routes: [...webRoutes, ...scrapeLists, ...keyRoutes, ...keyAdminRoutes, ...operationRoutes] },
  );
  const scrape: Scraper["scrape"] = (body, options) =>
    magpie.request("POST", "/web/scrape", { body: patient(body), ...options });
  return {
    ...magpie,
    dataDir,
    scrape,
    job: async (body, options) => {
      const reply = await scrape(body, options);
      if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
      return reply.json<Job>();
    },
    refusal: async (body, options) => {
      const reply = await scrape(body, options);
      if (reply.status === 200) throw new Error(`it should have failed: ${reply.text.slice(0, 1000)}`);
      const refusal = reply.json<Refusal>();
      return [reply.status, refusal.code, refusal];
    },
    newKey: async (owner, limits) => {
      const body = { owner, name: "test", ...(limits && { limits }) };
      const reply = await magpie.request("POST", "/internal/keys", { admin: true, body });
      return reply.json<{ data: { key: string } }>().data.key;
    },
  };
}

/** With time for a page on a busy machine, unless the test is about the time. */
function patient(body: unknown): unknown {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  return isObject ? { timeout: 55_000, ...body } : body;
}

/** Width and height of a PNG; throws for bytes that are none. */
export function pngSize(bytes: Uint8Array): [width: number, height: number] {
  const png = Buffer.from(bytes);
  if (png.subarray(0, 8).toString("latin1") !== "\x89PNG\r\n\x1a\n") throw new Error("not a PNG");
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}
