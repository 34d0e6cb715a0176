import { type ClusterConfig, cluster } from "./cluster.ts";
import { ConfigError } from "./config-error.ts";
import { type Env, readEnv } from "./env.ts";
import { type SocialConfig, social } from "./social.ts";

export { ConfigError };

/** Everything that can be set from outside, parsed and checked. */
export interface Config {
  host: string;
  port: number;
  /** Where each node of a cluster tells how it is; 0: any that is free. Embedded, the gateway does. */
  healthPort: number;
  /** The origin under which the gateway is reached from outside; undefined: no hub can tell what is new. */
  publicUrl?: string;
  /** Everything of the embedded mode that must survive a restart lies below this folder. */
  dataDir: string;
  /** Where the rooms of a cluster meet; undefined: embedded mode. */
  cluster?: ClusterConfig;
  /** The rooms of this process, by their folders, as Moleculer's runner takes them; none: all. */
  services: string[];
  /** Undefined: generated at first start and kept in the data folder. */
  adminKey?: string;
  masterSecret?: string;
  bootstrapApiKey?: string;
  keysPerOwner: number;
  /** CIDRs and `host:port` pairs that the egress guard lets through although they are not public. */
  egressAllow: string[];
  /** Milliseconds: the shortest polling interval of feeds and pages; a source newly tracked starts with it. */
  pollMinIntervalMs: number;
  browser: {
    /** Undefined: found on the machine. */
    path?: string;
    /** Pages that render at a time. */
    pages: number;
    /** Scrapes that may wait for a page before others are told `overloaded`. */
    queue: number;
    /** Pages after which a browser is replaced by a fresh one. */
    recycleAfterPages: number;
    /** Resident memory of a browser's processes, in MB, above which it is replaced. */
    maxMemoryMb: number;
  };
  crawl: {
    /** Pages of one crawl that are read at a time. */
    concurrency: number;
    /** Requests at a time to one host, of all crawls. */
    hostConcurrency: number;
  };
  /** The variable PATH: where a browser is looked for. */
  searchPath: string;
  /** Country code -> proxy URLs. */
  proxies: Record<string, string[]>;
  /** An OpenAI-compatible endpoint; undefined: the deterministic extractors do the work. */
  llm?: { baseUrl: string; model: string; apiKey?: string };
  /** The networks of the social platforms. */
  social: SocialConfig;
  webhooks: {
    /** Takes `http://` endpoints too. */
    allowHttp: boolean;
    /** Milliseconds before the attempts after the first, second, … failure in a row. */
    backoffMs: number[];
  };
  log: { level: string; format: "pretty" | "json" };
}

let processConfig: Config | undefined;

/** The configuration of this process, read once. */
export function configFromEnv(): Config {
  processConfig ??= toConfig(readEnv());
  return processConfig;
}

export function toConfig(env: Env): Config {
  return {
    host: env.HOST ?? "127.0.0.1",
    port: integer("PORT", env.PORT, 3000, 0, 65_535),
    healthPort: integer("HEALTH_PORT", env.HEALTH_PORT, 3001, 0, 65_535),
    publicUrl: origin("PUBLIC_URL", env.PUBLIC_URL),
    dataDir: env.DATA_DIR ?? "./data",
    cluster: cluster(env),
    services: env.SERVICES?.split(",").map(name => name.trim()) ?? [],
    adminKey: key("ADMIN_KEY", env.ADMIN_KEY),
    masterSecret: masterSecret(env.MASTER_SECRET),
    bootstrapApiKey: key("BOOTSTRAP_API_KEY", env.BOOTSTRAP_API_KEY),
    keysPerOwner: integer("KEYS_PER_OWNER", env.KEYS_PER_OWNER, 10, 1, 1_000_000),
    egressAllow: list(env.EGRESS_ALLOW),
    pollMinIntervalMs: durationMs("POLL_MIN_INTERVAL", env.POLL_MIN_INTERVAL ?? "1m"),
    browser: {
      path: env.BROWSER_PATH,
      pages: integer("BROWSER_PAGES", env.BROWSER_PAGES, 4, 1, 256),
      queue: integer("BROWSER_QUEUE", env.BROWSER_QUEUE, 16, 0, 100_000),
      recycleAfterPages: integer("BROWSER_RECYCLE_PAGES", env.BROWSER_RECYCLE_PAGES, 500, 1, 1_000_000),
      maxMemoryMb: integer("BROWSER_MAX_MEMORY_MB", env.BROWSER_MAX_MEMORY_MB, 2048, 256, 1_000_000),
    },
    crawl: {
      concurrency: integer("CRAWL_CONCURRENCY", env.CRAWL_CONCURRENCY, 8, 1, 256),
      hostConcurrency: integer("CRAWL_HOST_CONCURRENCY", env.CRAWL_HOST_CONCURRENCY, 2, 1, 256),
    },
    searchPath: env.PATH ?? "",
    proxies: proxies(env.PROXIES),
    llm: llm(env),
    social: social(env),
    webhooks: {
      allowHttp: flag("WEBHOOK_ALLOW_HTTP", env.WEBHOOK_ALLOW_HTTP),
      backoffMs: durations("WEBHOOK_BACKOFF", env.WEBHOOK_BACKOFF ?? "5s,30s,2m,10m"),
    },
    log: { level: logLevel(env.LOG_LEVEL), format: logFormat(env.LOG_FORMAT) },
  };
}

function integer(
  name: string,
  value: string | undefined,
  fallback: number,
  min: number,
  max: number,
): number {
  if (value === undefined) return fallback;
  const number = Number(value);
  if (!Number.isInteger(number) || number < min || number > max)
    throw new ConfigError(name, `a whole number from ${min} to ${max}`);
  return number;
}

function origin(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new ConfigError(name, "an https or http origin such as https://magpie.example.com");
  return url.origin;
}

/** Keys travel in headers: one that a header cannot carry as it is would never match. */
function key(name: string, value: string | undefined): string | undefined {
  if (value !== undefined && !/^[!-~][ -~]{14,510}[!-~]$/.test(value))
    throw new ConfigError(name, "16 to 512 letters, digits and signs of ASCII");
  return value;
}

function masterSecret(value: string | undefined): string | undefined {
  if (value !== undefined && value.length < 16)
    throw new ConfigError("MASTER_SECRET", "at least 16 characters");
  return value;
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function durationMs(name: string, value: string): number {
  const [, count, unit] = /^(\d{1,9})(ms|s|m|h)$/.exec(value) ?? [];
  const ms = Number(count) * unitMs[unit as keyof typeof unitMs];
  if (!(ms >= 1 && ms <= 24 * unitMs.h))
    throw new ConfigError(name, "a duration such as 30s, 2m or 1h, at most 24h");
  return ms;
}

function flag(name: string, value = "false"): boolean {
  if (value !== "true" && value !== "false") throw new ConfigError(name, "true or false");
  return value === "true";
}

function durations(name: string, value: string): number[] {
  return list(value).map(text => durationMs(name, text));
}

function list(value: string | undefined): string[] {
  return (value ?? "").split(",").flatMap(part => part.trim() || []);
}

function proxies(value: string | undefined): Config["proxies"] {
  if (value === undefined) return {};
  const expectation =
    'http, https or socks5 URLs by country, as JSON such as {"US":["http://user:password@proxy.example:8080"]}';
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    throw new ConfigError("PROXIES", expectation);
  }
  const entries = Object.entries(Object(parsed) as Record<string, unknown>);
  for (const [country, urls] of entries)
    if (!/^[A-Z]{2}$/.test(country) || !Array.isArray(urls) || !urls.every(isProxyUrl))
      throw new ConfigError("PROXIES", expectation);
  return Object.fromEntries(entries) as Config["proxies"];
}

function isProxyUrl(url: unknown): boolean {
  return typeof url === "string" && /^(https?|socks5):$/.test(URL.parse(url)?.protocol ?? "");
}

function llm(env: Env): Config["llm"] {
  if (env.LLM_BASE_URL === undefined) return undefined;
  if (!/^https?:/.test(env.LLM_BASE_URL) || !URL.canParse(env.LLM_BASE_URL))
    throw new ConfigError("LLM_BASE_URL", "an http or https URL");
  if (env.LLM_MODEL === undefined)
    throw new ConfigError("LLM_MODEL", "the model's name, required with LLM_BASE_URL");
  return { baseUrl: env.LLM_BASE_URL, model: env.LLM_MODEL, apiKey: env.LLM_API_KEY };
}

function logLevel(value = "info"): string {
  const levels = ["fatal", "error", "warn", "info", "debug", "trace"];
  if (!levels.includes(value)) throw new ConfigError("LOG_LEVEL", `one of ${levels.join(", ")}`);
  return value;
}

function logFormat(value = process.stdout.isTTY ? "pretty" : "json"): "pretty" | "json" {
  if (value !== "pretty" && value !== "json") throw new ConfigError("LOG_FORMAT", "pretty or json");
  return value;
}
