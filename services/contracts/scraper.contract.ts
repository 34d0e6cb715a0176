import type { Readable } from "node:stream";
import type { PageLink } from "../domain/extract/crawl-hints.ts";
import { action, repeatable } from "./action.ts";

export const formats = ["html", "raw_html", "markdown", "links", "summary", "screenshot", "json"] as const;
export type Format = (typeof formats)[number];

/** What is wanted of a page. */
export interface OutputOptions {
  formats: Format[];
  screenshot: "viewport" | "full_page";
  json?: { prompt?: string; json_schema?: Record<string, unknown>; recipe?: Record<string, unknown> };
}

export interface Cookie {
  name: string;
  value: string;
  domain?: string;
  path?: string;
  secure?: boolean;
  httpOnly?: boolean;
  sameSite?: "Strict" | "Lax" | "None";
  /** Unix time in seconds. */
  expires?: number;
}

/** How the page is asked for. */
export interface RequestOptions {
  /** BCP 47 tag, for example `de-AT`. */
  locale?: string;
  device: "desktop" | "mobile";
  /** A list of cookies, or a map of names to values for the page's own host. */
  cookies?: Cookie[] | Record<string, string>;
  headers?: Record<string, string>;
  only_main_content: boolean;
  block_ads: boolean;
  skip_tls_verification: boolean;
}

export interface JsRenderOptions {
  enabled: boolean;
  wait_until?: "load" | "domcontentloaded" | "networkidle";
  viewport?: { width: number; height: number };
}

export interface ProxyOptions {
  /** ISO 3166-1 alpha-2 country code. */
  location: string;
  sticky_session?: string;
}

/** The body of `POST /web/scrape` after validation: every default is filled in. */
export interface ScrapeRequest {
  url: string;
  mode: "sync" | "async";
  /** Milliseconds. */
  timeout: number;
  output: OutputOptions;
  breakdown: boolean;
  proxy: ProxyOptions;
  request: RequestOptions;
  js_render: JsRenderOptions;
  webhook?: JobWebhook;
}

/** Who is told of a job. */
export interface JobWebhook {
  url: string;
  headers?: Record<string, string>;
  events: ("started" | "completed" | "failed")[];
}

export interface PageMetadata {
  title: string;
  status_code: number;
  final_url: string;
  description: string | null;
  /** BCP 47 tag as the page declares it. */
  language: string | null;
  canonical_url: string | null;
  /** OpenGraph properties without their `og:` prefix. */
  og: Record<string, string>;
  engine: "http" | "browser";
  /** Country of the proxy that served; null when the page was fetched directly. */
  proxy_location: string | null;
}

/** What a scrape yields; only the formats that were asked for are present. */
export interface ScrapeData {
  markdown?: string;
  html?: string;
  raw_html?: string;
  links?: string[];
  summary?: string;
  json?: Record<string, unknown>;
  json_recipe?: Record<string, unknown>;
  /** Key for `GET /web/screenshot/{key}`. */
  screenshot?: string;
  metadata: PageMetadata;
}

export interface ScrapeJob {
  scrape_id: string;
  version: "v1";
  status: "pending" | "completed" | "failed";
  url?: string;
  /** Only when `completed`. */
  data?: ScrapeData;
  /** Only when `failed`. */
  error?: { code: string; message: string };
  /** ISO 8601; once it has started, and ended. */
  started_at?: string;
  ended_at?: string;
  /** The secret that signs deliveries to `webhook.url`; only when it was made for this request. */
  webhook_secret?: string;
}

/** A scrape that ended well. */
export interface FinishedScrape extends ScrapeJob {
  status: "completed";
  url: string;
  data: ScrapeData;
}

/** A page as a crawl sees it. */
export type CrawledPage =
  | {
      kind: "page";
      data: ScrapeData;
      links: PageLink[];
      /** Of `<meta name=robots>` and `X-Robots-Tag`: what the page asks of crawlers. */
      nofollow: boolean;
      /** What the site asked for with a 429 or 503, in milliseconds. */
      retryAfterMs: number | null;
    }
  /** The server leads elsewhere, or the page by itself; that other one was not fetched. */
  | { kind: "redirect"; url: string };

export type { PageLink };

/** A page as it is read for a room that comes again. */
export interface Visit {
  job: FinishedScrape;
  /** What the site asks of whoever comes again: its `retry-after`, `cache-control` and `age`, where it sent them. */
  headers: Record<string, string>;
}

const flag = (value: boolean, description: string) => ({ type: "boolean", default: value, description });
const pixels = (description: string) => ({ type: "number", integer: true, min: 16, max: 4096, description });

const cookieSchema = {
  type: "object",
  strict: true,
  props: {
    name: { type: "string", min: 1, max: 256 },
    value: { type: "string", max: 4096, empty: true },
    domain: {
      type: "string",
      min: 1,
      max: 253,
      optional: true,
      description: "The page's host or a parent of it; left out, the cookie is for that host alone.",
    },
    path: { type: "string", min: 1, max: 1024, optional: true, description: "`/` when left out." },
    secure: { type: "boolean", optional: true, description: "Sent over HTTPS only." },
    httpOnly: { type: "boolean", optional: true, description: "Not seen by the page's scripts." },
    sameSite: { type: "enum", values: ["Strict", "Lax", "None"], optional: true },
    expires: { type: "number", optional: true, description: "Unix time in seconds." },
  },
};

/**
 * The parts of the body that scrapes and crawls share. The validator fills a missing object in whole and does not look
 * inside it then, so each default is complete. It ignores `description`, which is for the OpenAPI document.
 */
export const pageOptionsSchema = {
  output: {
    type: "object",
    strict: true,
    default: { formats: ["markdown"], screenshot: "viewport" },
    description: "What is wanted of the page.",
    props: {
      formats: {
        type: "array",
        min: 1,
        max: formats.length,
        unique: true,
        items: { type: "enum", values: [...formats] },
        default: ["markdown"],
        description:
          "`html` is cleaned, `raw_html` is as the browser or the server has it. `json` needs `output.json`.",
      },
      screenshot: {
        type: "enum",
        values: ["viewport", "full_page"],
        default: "viewport",
        description: "What a screenshot shows; it is taken when `formats` names it.",
      },
      json: {
        type: "object",
        strict: true,
        optional: true,
        description: "What the `json` format extracts; at least one of its fields is needed.",
        props: {
          prompt: {
            type: "string",
            min: 1,
            max: 4000,
            optional: true,
            description: "What to extract, in words.",
          },
          json_schema: {
            type: "object",
            optional: true,
            description:
              "JSON Schema that the answer fits, of at most 16 KB, 10 levels and 100 properties, without `$ref` to elsewhere.",
          },
          recipe: {
            type: "object",
            optional: true,
            description: "`data.json_recipe` of an earlier scrape: extracts the same again, without a model.",
          },
        },
      },
    },
  },
  request: {
    type: "object",
    strict: true,
    default: { device: "desktop", only_main_content: true, block_ads: true, skip_tls_verification: true },
    description: "How the page is asked for and read.",
    props: {
      locale: {
        type: "string",
        max: 35,
        pattern: "^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$",
        optional: true,
        description: "BCP 47 tag of the language wanted, for example `de-AT`.",
      },
      device: {
        type: "enum",
        values: ["desktop", "mobile"],
        default: "desktop",
        description: "The kind of device that the page is shown to.",
      },
      cookies: {
        type: "multi",
        optional: true,
        description: "A list of cookies, or a map of names to values for the page's own host.",
        rules: [
          { type: "array", max: 100, items: cookieSchema },
          {
            type: "record",
            key: { type: "string", min: 1, max: 256 },
            value: { type: "string", max: 4096, empty: true },
          },
        ],
      },
      headers: {
        type: "record",
        key: "string",
        value: { type: "string", max: 4096, empty: true },
        optional: true,
        description:
          "At most 50, sent to the page's own origin only. Not `host`, nor those that belong to the connection, the browser or a proxy.",
      },
      only_main_content: flag(true, "Leaves out navigation, sidebars, footers and the like."),
      block_ads: flag(
        true,
        "Blocks advertisements and trackers while the page loads, and drops them from it.",
      ),
      skip_tls_verification: flag(true, "Takes certificates that do not verify."),
    },
  },
  js_render: {
    type: "object",
    strict: true,
    default: { enabled: true },
    description: "Running the page's scripts in a browser.",
    props: {
      enabled: flag(true, "Runs scripts where they change the page; false reads it as the server sent it."),
      wait_until: {
        type: "enum",
        values: ["load", "domcontentloaded", "networkidle"],
        optional: true,
        description: "When a rendered page counts as ready; left out, once it has settled.",
      },
      viewport: {
        type: "object",
        strict: true,
        optional: true,
        description: "Size of the browser's window; the device's own when left out.",
        props: { width: pixels("CSS pixels."), height: pixels("CSS pixels.") },
      },
    },
  },
  proxy: {
    type: "object",
    strict: true,
    default: { location: "US" },
    description: "Where the page is asked from.",
    props: {
      location: {
        type: "string",
        pattern: "^[A-Za-z]{2}$",
        uppercase: true,
        default: "US",
        description:
          "ISO 3166-1 alpha-2 country code. Without a proxy there the page is fetched directly: `metadata.proxy_location` is null.",
      },
      sticky_session: {
        type: "string",
        min: 1,
        max: 128,
        optional: true,
        description: "Scrapes with the same value keep the same proxy, for 10 minutes at least.",
      },
    },
  },
  webhook: {
    type: "object",
    strict: true,
    optional: true,
    description: "Told of an asynchronous job.",
    props: {
      url: { type: "string", min: 1, max: 2048, description: "HTTPS endpoint." },
      headers: {
        type: "record",
        key: "string",
        value: { type: "string", max: 4096 },
        optional: true,
        description: "Sent with every delivery.",
      },
      events: {
        type: "array",
        min: 1,
        items: { type: "enum", values: ["started", "completed", "failed"] },
        default: ["started", "completed", "failed"],
        description: "What to be told of.",
      },
    },
  },
};

/**
 * Scrapes one page: answers when it is done, or, asynchronously, when it is kept and queued. `meta.idempotencyKey` makes
 * a repeated request the same scrape.
 */
export const scrape = action<ScrapeRequest, ScrapeJob>("scraper.scrape", {
  $$strict: true,
  url: {
    type: "string",
    min: 1,
    max: 2048,
    description: "The page: an absolute http or https URL of a public address, without credentials.",
  },
  mode: {
    type: "enum",
    values: ["sync", "async"],
    default: "sync",
    description: "`sync` answers with the page, `async` at once with a `scrape_id` to ask for.",
  },
  timeout: {
    type: "number",
    integer: true,
    min: 1000,
    max: 600_000,
    default: 30_000,
    description:
      "Milliseconds that a synchronous scrape is waited for; then the answer is 408 `scrape_timeout` with the `scrape_id`, and the work goes on. In all it may take twice as long, at least one minute and at most ten; so may an asynchronous one.",
  },
  breakdown: flag(
    false,
    "With the `json` format: also gives the recipe of the extraction, as `data.json_recipe`.",
  ),
  ...pageOptionsSchema,
});

/** The PNG of a screenshot, as a stream. 404 for an unknown or expired key and for another owner's. */
export const screenshot = repeatable<{ key: string }, Readable>("scraper.screenshot", {
  $$strict: true,
  key: { type: "string", min: 1, max: 128, description: "`data.screenshot` of a scrape." },
});

/** Removes all screenshots of a crawl: they are kept until then. Not published. */
export const forgetScreenshots = repeatable<{ crawlId: string }, null>("scraper.forgetScreenshots", {
  $$strict: true,
  crawlId: { type: "string", min: 1 },
});

/** How a scrape stands. 404 for another owner's; 410 once it has expired. */
export const scrapeStatus = repeatable<{ scrape_id: string }, ScrapeJob>("scraper.status", {
  $$strict: true,
  scrape_id: { type: "string", min: 1, max: 64, description: "`scrape_id` of the scrape." },
});

/** Ends a pending scrape as `failed`, code `cancelled`; `already_finished` when it has ended. */
export const cancelScrape = action<{ scrape_id: string }, ScrapeJob>("scraper.cancel", {
  $$strict: true,
  scrape_id: { type: "string", min: 1, max: 64, description: "`scrape_id` of the scrape." },
});

/** Reads a page for a room that comes again. It leaves no record, and ends with its timeout. Not published. */
export const visitPage = repeatable<{ keyId: string; owner: string; request: ScrapeRequest }, Visit>(
  "scraper.visit",
  {
    $$strict: true,
    keyId: { type: "string", min: 1 },
    owner: { type: "string", min: 1 },
    request: { type: "object" },
  },
);

/**
 * One page of a crawl, for the crawler: where the server or the page itself leads to another is told, not followed. The pages of one crawl may share
 * a browser context and a proxy. The user's headers, and cookies without a domain, go to pages of the origin of
 * `entryUrl` only, where the user meant them to go. Screenshots are kept until `forgetScreenshots`. Not published.
 */
export const crawlPage = repeatable<
  { crawlId: string; keyId: string; owner: string; entryUrl: string; request: ScrapeRequest },
  CrawledPage
>("scraper.crawlPage", {
  $$strict: true,
  crawlId: { type: "string", min: 1 },
  entryUrl: { type: "string", min: 1 },
  keyId: { type: "string", min: 1 },
  owner: { type: "string", min: 1 },
  request: { type: "object" },
});
