import { Validators } from "moleculer";
import type { Action, ParamsOf, ResultOf } from "../../../services/contracts/action.ts";
import { startBatch } from "../../../services/contracts/batch.contract.ts";
import { startCrawl } from "../../../services/contracts/crawler.contract.ts";
import { createKey } from "../../../services/contracts/keys.contract.ts";
import { mapSite } from "../../../services/contracts/map.contract.ts";
import { scrape, type scrapeStatus } from "../../../services/contracts/scraper.contract.ts";
import { findSources, type track } from "../../../services/contracts/tracker.contract.ts";
import type { WatchOptions } from "../../../services/contracts/watch.contract.ts";

/*
 * What handlers are given and what they answer, written by hand: a schema that loses a field, or changes its type, does
 * not compile here.
 */

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** The parameters as a handler finds them: checked, with the defaults filled in. */
function filled<Params>({ params }: Action<Params, unknown>, given: Record<string, unknown>): Params {
  expect(new Validators.Fastest().compile(params as never)(given)).toBe(true);
  return given as Params;
}

interface Page {
  output: {
    formats: (
      | "html"
      | "raw_html"
      | "markdown"
      | "links"
      | "images"
      | "summary"
      | "screenshot"
      | "json"
      | "changes"
    )[];
    screenshot: "viewport" | "full_page";
    changes?: { tag?: string; modes?: ("diff" | "json")[] };
    json?: {
      prompt?: string;
      mode?: "auto" | "recipe" | "values";
      json_schema?: Record<string, unknown>;
      recipe?: Record<string, unknown>;
    };
  };
  request: {
    locale?: string;
    device: "desktop" | "mobile";
    cookies?: Cookie[] | Record<string, string>;
    headers?: Record<string, string>;
    include_tags?: string[];
    exclude_tags?: string[];
    only_main_content: boolean;
    block_ads: boolean;
    skip_tls_verification: boolean;
    content_uses?: ("train_ai" | "ai_input" | "search" | "tdm")[];
    pdf?: { read?: boolean; max_pages?: number };
  };
  js_render: {
    enabled: boolean;
    wait_until?: "load" | "domcontentloaded" | "networkidle";
    wait_for?: { selector?: string; ms?: number };
    actions?: PageAction[];
    viewport?: { width: number; height: number };
    frames?: "same_site" | "all" | "none";
    scroll?: "full";
    color_scheme?: "light" | "dark";
  };
  proxy: { location: string; sticky_session?: string };
  session?: { name: string; login?: { actions: LoginAction[]; url?: string; when?: string } };
  webhook?: {
    url: string;
    headers?: Record<string, string>;
    events: ("started" | "page" | "completed" | "failed")[];
    metadata?: Record<string, unknown>;
    format?: "magpie" | "firecrawl";
  };
}

interface LoginAction {
  type: "wait" | "click" | "type" | "press" | "scroll";
  selector?: string;
  ms?: number;
  text?: string;
  key?: string;
  direction?: "up" | "down";
  full_page?: boolean;
  totp?: string;
}

interface PageAction {
  type: "wait" | "click" | "type" | "press" | "scroll" | "screenshot";
  selector?: string;
  ms?: number;
  text?: string;
  key?: string;
  direction?: "up" | "down";
  full_page?: boolean;
}

interface Cookie {
  name: string;
  value: string;
  domain?: string;
  path?: string;
  secure?: boolean;
  httpOnly?: boolean;
  sameSite?: "Strict" | "Lax" | "None";
  expires?: number;
}

const page: Page = {
  output: { formats: ["markdown"], screenshot: "viewport" },
  request: { device: "desktop", only_main_content: true, block_ads: true, skip_tls_verification: true },
  js_render: { enabled: true },
  proxy: { location: "US" },
};

test("a scrape", () => {
  interface Scrape extends Page {
    url: string;
    mode: "sync" | "async";
    timeout: number;
    breakdown: boolean;
    max_age: number;
  }
  const same: Same<ParamsOf<typeof scrape>, Flat<Scrape>> = true;
  const expected: Scrape = { ...page, url: "u", mode: "sync", timeout: 30_000, breakdown: false, max_age: 0 };
  expect([same, filled(scrape, { url: "u" })]).toEqual([true, expected]);
});

test("a crawl", () => {
  interface Crawl extends Page {
    url: string;
    crawler: {
      limit: number;
      include: string[];
      exclude: string[];
      max_depth: number;
      include_entire_domain: boolean;
      include_subdomains: boolean;
      include_external_links: boolean;
      sitemaps: boolean;
      ignore_query?: boolean;
      delay?: number;
      max_per_second?: number;
      ignore_robots?: boolean;
      concurrency?: number;
    };
  }
  const same: Same<ParamsOf<typeof startCrawl>, Flat<Crawl>> = true;
  const crawler: Crawl["crawler"] = {
    limit: 5,
    include: [],
    exclude: [],
    max_depth: 3,
    include_entire_domain: false,
    include_subdomains: false,
    include_external_links: false,
    sitemaps: true,
  };
  const given = { url: "u", crawler: { limit: 5 } };
  expect([same, filled(startCrawl, given)]).toEqual([true, { ...page, url: "u", crawler }]);
});

test("a batch, and a map", () => {
  interface Batch extends Page {
    urls: string[];
    ignore_invalid_urls: boolean;
    concurrency?: number;
  }
  const batch: Same<ParamsOf<typeof startBatch>, Flat<Batch>> = true;
  expect([batch, filled(startBatch, { urls: ["u"] })]).toEqual([
    true,
    { ...page, urls: ["u"], ignore_invalid_urls: false },
  ]);

  interface Mapping {
    url: string;
    search?: string;
    limit: number;
    include_subdomains: boolean;
    sitemaps: "include" | "only" | "skip";
    timeout: number;
  }
  const map: Same<ParamsOf<typeof mapSite>, Flat<Mapping>> = true;
  const given = { limit: 5000, include_subdomains: false, sitemaps: "include", timeout: 30_000 };
  expect([map, filled(mapSite, { url: "u" })]).toEqual([true, { url: "u", ...given }]);
});

test("tracked sources, and keys", () => {
  type Kind = "microblog" | "chatserver" | "messenger" | "web" | "rss" | "site" | "search";
  const find: Same<
    ParamsOf<typeof findSources>,
    { source: Kind; query: string; page: number; limit: number }
  > = true;
  const given = filled(findSources, { source: "rss", query: "q", page: "2" });
  expect([find, given]).toEqual([true, { source: "rss", query: "q", page: 2, limit: 20 }]);

  type Limits = {
    requestsPerMinute?: number;
    concurrentScrapes?: number;
    concurrentCrawls?: number;
    trackedSources?: number;
  };
  type PeriodQuotas = {
    pages?: number | null;
    rendered?: number | null;
    crawled?: number | null;
    events?: number | null;
    deliveries?: number | null;
  };
  const key: Same<
    ParamsOf<typeof createKey>,
    {
      owner: string;
      name: string;
      scopes?: ("scrape" | "crawl" | "track" | "webhooks" | "read")[] | null;
      expires_at?: string | null;
      content_uses?: ("train_ai" | "ai_input" | "search" | "tdm")[] | null;
      limits?: Limits;
      quotas?: { day?: PeriodQuotas; month?: PeriodQuotas };
    }
  > = true;
  expect([key, filled(createKey, { owner: " ann ", name: "n" })]).toEqual([
    true,
    { owner: "ann", name: "n" },
  ]);
});

test("results", () => {
  type Source = {
    id: string;
    source: string;
    externalId: string;
    username: string;
    name: string;
    network?: string;
    options?: Flat<Omit<WatchOptions, "session"> & { session?: { name: string } }>;
  };
  const tracked: Same<
    ResultOf<typeof track>,
    { data: Source; message: string } | { message: string; jobId: string }
  > = true;
  interface Job {
    scrape_id: string;
    version: "v1";
    status: "pending" | "completed" | "failed";
    url: string;
    error?: { code: string; message: string };
    started_at?: string;
    ended_at?: string;
  }
  const job: Same<Omit<ResultOf<typeof scrapeStatus>, "data">, Flat<Job>> = true;
  expect([tracked, job, scrape.name]).toEqual([true, true, "scraper.scrape"]);
});

type Flat<T> = { [K in keyof T]: T[K] };
