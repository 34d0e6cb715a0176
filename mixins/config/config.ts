import type { KeyObject } from "node:crypto";
import { ConfigError, type Env, readEnv, readSetting, requireSetting } from "./env.ts";
import { type SocialConfig, socialConfig } from "./social.ts";

/** Everything that can be set from outside, parsed and checked. */
export interface Config {
  host: string;
  port: number;
  /** Where each node of a cluster answers health checks; 0: any free port. Embedded, the gateway answers them. */
  healthPort: number;
  /** The origin under which the gateway is reached from outside; undefined: no hub can push. */
  publicUrl?: string;
  /** Everything of the embedded mode that must survive a restart lies below this folder. */
  dataDir: string;
  /** The servers of a cluster; undefined: embedded mode. */
  cluster?: ClusterConfig;
  /** Where binary results and sealed events are kept; undefined: the data folder, or the cluster's MongoDB. */
  s3?: S3Config;
  /** Milliseconds that events can be read; hot ones, of at most 72 h, in the store, and older ones in sealed segments. */
  eventRetentionMs: number;
  /** Milliseconds that results, attempts to deliver, batches of sources, and counts of requests are kept. */
  resultRetentionMs: number;
  deliveryRetentionMs: number;
  batchRetentionMs: number;
  usageRetentionMs: number;
  /** Milliseconds that acts of people and keys are kept. */
  auditRetentionMs: number;
  /** What is kept of sources: for how long, and how much for each key. */
  keep: { days: number; bytes: number };
  /** The services of this process, by their folders, as Moleculer's runner takes them; none: all. */
  services: string[];
  /** Undefined: generated at first start and kept in the data folder. */
  adminKey?: string;
  masterSecret?: string;
  bootstrapApiKey?: string;
  keysPerOwner: number;
  /** Whether the dashboard is served and people can sign in. */
  dashboard: boolean;
  /** CIDRs and `host:port` pairs that the egress guard allows although they are not public. */
  egressAllow: string[];
  /** Addresses and CIDRs of proxies whose `X-Forwarded-For` names the client. */
  trustedProxies: string[];
  /** Names by which the gateway may be asked, beside those that are always its own; `*`: any. */
  hosts: string[];
  /** Name servers that answer for users' addresses, as `address`, `address:port` or `[IPv6]:port`; empty: the system's. */
  egressDnsServers: string[];
  /** Signs the requests that name Magpie; undefined: none is signed. */
  botIdentity?: BotIdentity;
  /** Milliseconds: the shortest polling interval of feeds and pages; a source newly tracked starts with it. */
  pollMinIntervalMs: number;
  browser: {
    /** Undefined: found on the machine. */
    path?: string;
    /** Pages that render at a time. */
    pages: number;
    /** Scrapes that may wait for a page; further ones fail with `overloaded`. */
    queue: number;
    /** Pages after which a browser is replaced by a fresh one. */
    recycleAfterPages: number;
    /** Memory of a browser's processes, in MB, above which its heaviest page is ended. */
    maxMemoryMb: number;
    /** Milliseconds of processor time after which a page is ended. */
    maxPageCpuMs: number;
  };
  /** Milliseconds without a page after which browser and reading threads end; `Infinity`: never. */
  scraperIdleMs: number;
  crawl: {
    /** Pages of one crawl that are read at a time. */
    concurrency: number;
    /** Requests at a time to one host, of all crawls. */
    hostConcurrency: number;
    /** Hosts that may be crawled against their robots.txt. */
    ownHosts?: string[];
  };
  /** The variable PATH: where a browser is looked for. */
  searchPath: string;
  /** Country code -> proxy URLs. */
  proxies: Record<string, string[]>;
  /** A SearXNG; undefined: no search. */
  searxngUrl?: string;
  /** An OpenAI-compatible endpoint; undefined: the deterministic extractors do the work. */
  llm?: { baseUrl: string; model: string; apiKey?: string; maxTokens?: number };
  /** The program that recognises text in pictures, and the languages; undefined: none is recognised. */
  ocr?: { program: string; languages: string[] };
  /** The networks of the social platforms. */
  social: SocialConfig;
  webhooks: {
    /** Takes `http://` endpoints too. */
    allowHttp: boolean;
    /** Milliseconds before the attempts after the first, second, … failure in a row. */
    backoffMs: number[];
    /** The proxy by which deliveries leave; undefined: none. */
    proxyUrl?: string | undefined;
    /** Where endpoints may write files; undefined: nowhere. */
    folder?: string | undefined;
  };
  feeds: {
    /** A WebSub hub that gets news, and the origin under which it reaches the feeds; undefined: none. */
    hub?: { url: string; publicUrl: string };
  };
  /** The mail server and the sender of mails; undefined: no mail. */
  mail?: MailConfig;
  log: { level: string; format: "pretty" | "json" };
  /** Undefined: no traces. */
  tracing?: TracingConfig;
}

/** Who Magpie is to the sites that it asks (BOT_IDENTITY). */
export interface BotIdentity {
  /** Ed25519 keys. The first one, a private key, signs; the others are those before and after it. */
  keys: KeyObject[];
  /** The origin under which the directory of these keys is reached. */
  publicUrl: string;
}

export interface MailConfig {
  /** `smtp://` or `smtps://`, with user and password. */
  url: string;
  from: { name: string; address: string };
  /** Where the links in mails lead. */
  publicUrl: string;
}

/** A bucket of S3-compatible storage. */
export interface S3Config {
  /** Without a slash at its end. */
  endpoint: string;
  bucket: string;
  region: string;
  /** Before the name of every object. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** The OpenTelemetry collector that gets the traces. */
export interface TracingConfig {
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  /** The share of traces that is recorded. */
  ratio: number;
}

let processConfig: Config | undefined;

/** The configuration of this process, read once. */
export function configFromEnv(): Config {
  processConfig ??= toConfig(readEnv());
  return processConfig;
}

export function toConfig(env: Env): Config {
  return {
    host: readSetting("HOST", env),
    port: readSetting("PORT", env),
    healthPort: readSetting("HEALTH_PORT", env),
    publicUrl: readSetting("PUBLIC_URL", env),
    dataDir: readSetting("DATA_DIR", env),
    cluster: clusterConfig(env),
    s3: s3(env),
    eventRetentionMs: readSetting("EVENT_RETENTION", env),
    resultRetentionMs: readSetting("RESULT_RETENTION", env),
    deliveryRetentionMs: readSetting("DELIVERY_RETENTION", env),
    batchRetentionMs: readSetting("BATCH_RETENTION", env),
    usageRetentionMs: readSetting("USAGE_RETENTION", env),
    auditRetentionMs: readSetting("AUDIT_RETENTION", env),
    keep: { days: readSetting("KEEP_DAYS", env), bytes: readSetting("KEEP_MB", env) * 1024 * 1024 },
    services: readSetting("SERVICES", env) ?? [],
    adminKey: readSetting("ADMIN_KEY", env),
    masterSecret: readSetting("MASTER_SECRET", env),
    bootstrapApiKey: readSetting("BOOTSTRAP_API_KEY", env),
    keysPerOwner: readSetting("KEYS_PER_OWNER", env),
    dashboard: readSetting("DASHBOARD", env),
    egressAllow: readSetting("EGRESS_ALLOW", env),
    trustedProxies: readSetting("TRUSTED_PROXIES", env),
    hosts: readSetting("HOSTS", env),
    egressDnsServers: readSetting("EGRESS_DNS_SERVERS", env) ?? [],
    botIdentity: botIdentity(env),
    pollMinIntervalMs: readSetting("POLL_MIN_INTERVAL", env),
    browser: {
      path: readSetting("BROWSER_PATH", env),
      pages: readSetting("BROWSER_PAGES", env),
      queue: readSetting("BROWSER_QUEUE", env),
      recycleAfterPages: readSetting("BROWSER_RECYCLE_PAGES", env),
      maxMemoryMb: readSetting("BROWSER_MAX_MEMORY_MB", env),
      maxPageCpuMs: readSetting("BROWSER_PAGE_CPU", env),
    },
    scraperIdleMs: readSetting("SCRAPER_IDLE", env),
    crawl: {
      concurrency: readSetting("CRAWL_CONCURRENCY", env),
      hostConcurrency: readSetting("CRAWL_HOST_CONCURRENCY", env),
      ownHosts: readSetting("OWN_HOSTS", env),
    },
    searchPath: readSetting("PATH", env),
    proxies: readSetting("PROXIES", env) ?? {},
    searxngUrl: readSetting("SEARXNG_URL", env),
    llm: llm(env),
    ocr: ocr(env),
    social: socialConfig(env),
    webhooks: {
      allowHttp: readSetting("WEBHOOK_ALLOW_HTTP", env),
      backoffMs: readSetting("WEBHOOK_BACKOFF", env),
      proxyUrl: readSetting("WEBHOOK_PROXY", env),
      folder: readSetting("DESTINATION_FOLDER", env),
    },
    feeds: { hub: feedHub(env) },
    mail: mail(env),
    log: {
      level: readSetting("LOG_LEVEL", env),
      format: readSetting("LOG_FORMAT", env) ?? (process.stdout.isTTY ? "pretty" : "json"),
    },
    tracing: tracing(env),
  };
}

function botIdentity(env: Env): BotIdentity | undefined {
  const keys = readSetting("BOT_IDENTITY", env);
  if (keys === undefined) return undefined;
  const publicUrl = requireSetting("PUBLIC_URL", env, "with BOT_IDENTITY");
  if (publicUrl.startsWith("https:")) return { keys, publicUrl };
  throw new ConfigError("PUBLIC_URL", "an https origin, required with BOT_IDENTITY");
}

function tracing(env: Env): TracingConfig | undefined {
  const endpoint = readSetting("OTEL_EXPORTER_OTLP_ENDPOINT", env);
  if (endpoint === undefined) return undefined;
  return {
    endpoint,
    headers: readSetting("OTEL_EXPORTER_OTLP_HEADERS", env) ?? {},
    serviceName: readSetting("OTEL_SERVICE_NAME", env),
    ratio: readSetting("OTEL_TRACES_SAMPLER_ARG", env),
  };
}

function s3(env: Env): S3Config | undefined {
  const region = readSetting("S3_REGION", env);
  const prefix = readSetting("S3_PREFIX", env);
  const endpoint = readSetting("S3_ENDPOINT", env) ?? `https://s3.${region}.amazonaws.com`;
  const names = ["S3_BUCKET", "S3_ENDPOINT", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;
  const set = names.find(name => env[name] !== undefined);
  if (set === undefined) return undefined;
  const needed = (name: (typeof names)[number]) => requireSetting(name, env, `with ${set}`);
  const bucket = needed("S3_BUCKET");
  const [accessKeyId, secretAccessKey] = [needed("S3_ACCESS_KEY_ID"), needed("S3_SECRET_ACCESS_KEY")];
  return { endpoint, bucket, region, prefix, accessKeyId, secretAccessKey };
}

function llm(env: Env): Config["llm"] {
  const baseUrl = readSetting("LLM_BASE_URL", env);
  if (baseUrl === undefined) return undefined;
  const model = requireSetting("LLM_MODEL", env, "with LLM_BASE_URL");
  const [apiKey, maxTokens] = [readSetting("LLM_API_KEY", env), readSetting("LLM_MAX_TOKENS", env)];
  return { baseUrl, model, apiKey, maxTokens };
}

function ocr(env: Env): Config["ocr"] {
  const program = readSetting("OCR", env);
  return program === undefined ? undefined : { program, languages: readSetting("OCR_LANGUAGES", env) };
}

function feedHub(env: Env): Config["feeds"]["hub"] {
  const url = readSetting("WEBSUB_HUB", env);
  if (url === undefined) return undefined;
  return { url, publicUrl: requireSetting("PUBLIC_URL", env, "with WEBSUB_HUB") };
}

function mail(env: Env): MailConfig | undefined {
  const url = readSetting("SMTP_URL", env);
  if (url === undefined) return undefined;
  const from = requireSetting("SMTP_FROM", env, "with SMTP_URL");
  return { url, from, publicUrl: requireSetting("PUBLIC_URL", env, "with SMTP_URL") };
}

/** The three servers of a cluster, and the name under which it keeps what is its own on each of them. */
export interface ClusterConfig {
  natsUrl: string;
  redisUrl: string;
  /** Replicas of Redis that must have an event before it counts as kept; 0 by default. */
  redisReplicas?: number;
  mongoUrl: string;
  /** Before every subject, key and collection, so that clusters which share a server do not meet. */
  namespace: string;
}

/** Undefined when none of the three URLs is set; throws when some are. */
function clusterConfig(env: Env): ClusterConfig | undefined {
  const urls = ["NATS_URL", "REDIS_URL", "MONGO_URL"] as const;
  if (urls.every(name => env[name] === undefined)) return undefined;
  const url = (name: (typeof urls)[number]) =>
    requireSetting(name, env, "since a cluster needs NATS_URL, REDIS_URL and MONGO_URL");
  return {
    natsUrl: url("NATS_URL"),
    redisUrl: url("REDIS_URL"),
    redisReplicas: readSetting("REDIS_REPLICAS", env),
    mongoUrl: url("MONGO_URL"),
    namespace: readSetting("CLUSTER_NAMESPACE", env),
  };
}
