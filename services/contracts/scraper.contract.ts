import type { Readable } from "node:stream";
import { action } from "./action.ts";

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
  webhook?: { url: string; headers?: Record<string, string>; events?: string[] };
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
  status: "completed";
  url: string;
  data: ScrapeData;
  /** ISO 8601. */
  started_at: string;
  ended_at: string;
}

const flag = (value: boolean) => ({ type: "boolean", default: value });
const pixels = { type: "number", integer: true, min: 16, max: 4096 };

const cookieSchema = {
  type: "object",
  strict: true,
  props: {
    name: { type: "string", min: 1, max: 256 },
    value: { type: "string", max: 4096, empty: true },
    domain: { type: "string", min: 1, max: 253, optional: true },
    path: { type: "string", min: 1, max: 1024, optional: true },
    secure: { type: "boolean", optional: true },
    httpOnly: { type: "boolean", optional: true },
    sameSite: { type: "enum", values: ["Strict", "Lax", "None"], optional: true },
    expires: { type: "number", optional: true },
  },
};

/**
 * The parts of the body that scrapes and crawls share. The validator fills a missing object in whole and does not look
 * inside it then, so each default is complete.
 */
export const pageOptionsSchema = {
  output: {
    type: "object",
    strict: true,
    default: { formats: ["markdown"], screenshot: "viewport" },
    props: {
      formats: {
        type: "array",
        min: 1,
        max: formats.length,
        unique: true,
        items: { type: "enum", values: [...formats] },
        default: ["markdown"],
      },
      screenshot: { type: "enum", values: ["viewport", "full_page"], default: "viewport" },
      json: {
        type: "object",
        strict: true,
        optional: true,
        props: {
          prompt: { type: "string", min: 1, max: 4000, optional: true },
          json_schema: { type: "object", optional: true },
          recipe: { type: "object", optional: true },
        },
      },
    },
  },
  request: {
    type: "object",
    strict: true,
    default: { device: "desktop", only_main_content: true, block_ads: true, skip_tls_verification: true },
    props: {
      locale: { type: "string", max: 35, pattern: "^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$", optional: true },
      device: { type: "enum", values: ["desktop", "mobile"], default: "desktop" },
      cookies: {
        type: "multi",
        optional: true,
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
      },
      only_main_content: flag(true),
      block_ads: flag(true),
      skip_tls_verification: flag(true),
    },
  },
  js_render: {
    type: "object",
    strict: true,
    default: { enabled: true },
    props: {
      enabled: flag(true),
      wait_until: { type: "enum", values: ["load", "domcontentloaded", "networkidle"], optional: true },
      viewport: { type: "object", strict: true, optional: true, props: { width: pixels, height: pixels } },
    },
  },
  proxy: {
    type: "object",
    strict: true,
    default: { location: "US" },
    props: {
      location: { type: "string", pattern: "^[A-Za-z]{2}$", uppercase: true, default: "US" },
      sticky_session: { type: "string", min: 1, max: 128, optional: true },
    },
  },
  webhook: {
    type: "object",
    strict: true,
    optional: true,
    props: {
      url: { type: "string", min: 1, max: 2048 },
      headers: { type: "record", key: "string", value: { type: "string", max: 4096 }, optional: true },
      events: {
        type: "array",
        min: 1,
        items: { type: "enum", values: ["started", "completed", "failed"] },
        default: ["started", "completed", "failed"],
      },
    },
  },
};

/** Scrapes one page and answers when it is done. */
export const scrape = action<ScrapeRequest, ScrapeJob>("scraper.scrape", {
  $$strict: true,
  url: { type: "string", min: 1, max: 2048 },
  mode: { type: "enum", values: ["sync", "async"], default: "sync" },
  timeout: { type: "number", integer: true, min: 1000, max: 600_000, default: 30_000 },
  breakdown: flag(false),
  ...pageOptionsSchema,
});

/** The PNG of a screenshot, as a stream. 404 for an unknown or expired key and for another owner's. */
export const screenshot = action<{ key: string }, Readable>("scraper.screenshot", {
  $$strict: true,
  key: { type: "string", min: 1, max: 128 },
});
