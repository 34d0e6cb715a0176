import {
  addressOrCidr,
  baseUrl,
  choice,
  duration,
  flag,
  headers,
  hostAndPort,
  integer,
  list,
  matching,
  mongoUrl,
  nameServer,
  natsUrls,
  onOff,
  origin,
  pace,
  proxies,
  redisUrl,
  type SettingType,
  share,
  text,
} from "./setting-types.ts";

export interface Setting {
  type: SettingType<unknown>;
  /** As an operator would write it. */
  default?: string;
  /** What holds where nothing is set, for settings without a default. */
  unset?: string;
  /** What it is for, in Markdown. */
  doc: string;
}

type Settings = Record<string, Setting>;

const port = integer(0, 65_535);
// Keys travel in headers: one that a header cannot carry as it is would never match.
const key = matching(
  /^[!-~][ -~]{14,510}[!-~]$/,
  "16 to 512 printable ASCII characters, with no blank at either end",
);
const kept = "generated at the first start and kept in `DATA_DIR`";
const byCredentials = "the network whose credentials are set, else `sandbox`";

const gateway = {
  HOST: {
    type: text("an address of this machine"),
    default: "127.0.0.1",
    doc: "Address that the gateway listens on; in a cluster also each node's health port.",
  },
  PORT: { type: port, default: "3000", doc: "Port that the gateway listens on. `0`: any free port." },
  PUBLIC_URL: {
    type: origin,
    unset: "no WebSub",
    doc: "Origin under which the gateway is reached from outside. With it, WebSub hubs push the changes of the feeds that name one; such feeds are then polled every six hours as a backup.",
  },
  TRUSTED_PROXIES: {
    type: list(addressOrCidr, "IP addresses or CIDRs such as 10.0.0.0/8, with commas between them"),
    default: "",
    doc: "Proxies in front of the gateway whose `X-Forwarded-For` names the client. The limits on wrong keys and sign-ins use it.",
  },
  DASHBOARD: {
    type: onOff,
    default: "on",
    doc: "`off`: no dashboard, and nobody can sign in: `/dashboard` and `/session` are 404.",
  },
} satisfies Settings;

const data = {
  DATA_DIR: {
    type: text("a folder"),
    default: "./data",
    doc: "Folder of everything that must survive a restart. One process uses it at a time. A node of a cluster keeps nothing there.",
  },
} satisfies Settings;

const secrets = {
  ADMIN_KEY: {
    type: key,
    unset: kept,
    doc: "The admin key. A cluster requires it where the gateway runs.",
  },
  MASTER_SECRET: {
    type: matching(/^.{16,}$/s, "at least 16 characters"),
    unset: kept,
    doc: "Encrypts API keys and other secrets at rest. A start with another one than before is refused. A cluster requires it on every node whose services use it.",
  },
  BOOTSTRAP_API_KEY: {
    type: key,
    unset: kept,
    doc: "Value of the first API key, whose owner and name are `default`. A cluster has none unless the `keys` service is given one.",
  },
  KEYS_PER_OWNER: { type: integer(1, 1_000_000), default: "10", doc: "API keys that one owner may have." },
} satisfies Settings;

const cluster = {
  NATS_URL: {
    type: natsUrls,
    unset: "embedded mode",
    doc: "NATS of the cluster. Takes several URLs with commas between them, `tls://`, and a token in the user's place. A cluster needs all of `NATS_URL`, `REDIS_URL` and `MONGO_URL`.",
  },
  REDIS_URL: { type: redisUrl, unset: "embedded mode", doc: "Redis of the cluster. `rediss://` uses TLS." },
  MONGO_URL: {
    type: mongoUrl,
    unset: "embedded mode",
    doc: "MongoDB of the cluster. Where it names no database, `CLUSTER_NAMESPACE` does.",
  },
  CLUSTER_NAMESPACE: {
    type: matching(
      /^[a-z][a-z0-9-]{0,31}$/,
      "at most 32 small letters, digits and dashes, beginning with a letter",
    ),
    default: "magpie",
    doc: "Prefix of every subject, key and collection of the cluster, so that several clusters can share servers.",
  },
  SERVICES: {
    type: {
      expected: "names of services, with commas between them",
      parse: (value: string) => value.split(",").map(name => name.trim()),
    },
    unset: "all",
    doc: "Services of this process, by their folders, for example `api` or `scraper,crawler`.",
  },
  HEALTH_PORT: {
    type: port,
    default: "3001",
    doc: "Port on which each node of a cluster answers `/health/live`, `/health/ready` and `/metrics`. `0`: any free port.",
  },
} satisfies Settings;

const egress = {
  EGRESS_ALLOW: {
    type: list(text(), "CIDRs and host:port pairs, with commas between them"),
    default: "",
    doc: "CIDRs and `host:port` pairs that requests may reach although they are not public.",
  },
  EGRESS_DNS_SERVERS: {
    type: list(nameServer, "IP addresses with commas between them, each with or without a port"),
    unset: "those of the system",
    doc: "Name servers that resolve users' addresses, each `address`, `address:port` or `[IPv6]:port`. Search domains do not apply then; the hosts file does.",
  },
  PROXIES: {
    type: proxies,
    unset: "none",
    doc: "Proxy URLs by country code, as JSON.",
  },
} satisfies Settings;

const tracking = {
  POLL_MIN_INTERVAL: {
    type: duration,
    default: "1m",
    doc: "Shortest polling interval of feeds and pages. A new source starts with it.",
  },
  WEBHOOK_BACKOFF: {
    type: list(duration, duration.expected),
    default: "5s,30s,2m,10m",
    doc: "How long the first, second, … episode of failure of an endpoint lasts (±20 %), and the delays of a failed event after its first retry.",
  },
  WEBSUB_HUB: {
    type: baseUrl("http", "hub.example.com"),
    unset: "none",
    doc: "A WebSub hub that [feeds of events](../guides/feeds-out.md) name and that hears when one has news. It needs `PUBLIC_URL`, and `EGRESS_ALLOW` where its address is not public.",
  },
  WEBHOOK_ALLOW_HTTP: { type: flag, default: "false", doc: "Takes `http://` webhook URLs." },
} satisfies Settings;

const scraping = {
  BROWSER_PATH: {
    type: text("the path of a program"),
    unset: "found on the machine",
    doc: "Chromium or chrome-headless-shell.",
  },
  BROWSER_PAGES: {
    type: integer(1, 256),
    default: "4",
    doc: "Pages of one API key that render at a time. There is one more place, for other keys.",
  },
  BROWSER_QUEUE: {
    type: integer(0, 100_000),
    default: "16",
    doc: "Scrapes that may wait for a page; further ones fail with `overloaded`.",
  },
  BROWSER_RECYCLE_PAGES: {
    type: integer(1, 1_000_000),
    default: "500",
    doc: "Pages after which a browser is replaced by a fresh one.",
  },
  BROWSER_MAX_MEMORY_MB: {
    type: integer(256, 1_000_000),
    default: "2048",
    doc: "Memory of all processes of a browser, in MB. Above it the heaviest page ends within a second, then the next, and the browser is replaced. A page that uses half of it ends in any case. The page's scrape fails with `upstream_error`.",
  },
  BROWSER_PAGE_CPU: {
    type: duration,
    default: "15s",
    doc: "Processor time, of all its threads, after which a page ends and its scrape fails with `upstream_error`.",
  },
  CRAWL_CONCURRENCY: {
    type: integer(1, 256),
    default: "8",
    doc: "Pages of one crawl that are read at a time. A process reads twice as many, of all its crawls.",
  },
  CRAWL_HOST_CONCURRENCY: {
    type: integer(1, 256),
    default: "2",
    doc: "Requests at a time to one host, of all crawls.",
  },
  SEARXNG_URL: {
    type: baseUrl("http"),
    unset: "no search",
    doc: "A SearXNG whose settings allow the format `json`. With it, `POST /v1/search` and `/v2/search` search the web ([Firecrawl's API](../guides/firecrawl.md)).",
  },
  LLM_BASE_URL: {
    type: {
      expected: "an http or https URL",
      parse: (value: string) => (/^https?:/.test(value) && URL.canParse(value) ? value : undefined),
    },
    unset: "deterministic extraction",
    doc: "An OpenAI-compatible endpoint for structured extraction and summaries.",
  },
  LLM_MODEL: { type: text("the model's name"), unset: "none", doc: "The model; `LLM_BASE_URL` requires it." },
  LLM_API_KEY: { type: text(), unset: "none", doc: "API key of the endpoint." },
} satisfies Settings;

const platforms = {
  MICROBLOG_DRIVER: {
    type: choice("sandbox", "x", "bluesky", "mastodon"),
    unset: byCredentials,
    doc: "Network behind the microblog. With `NODE_ENV=production` the sandbox has to be named.",
  },
  CHATSERVER_DRIVER: {
    type: choice("sandbox", "discord"),
    unset: byCredentials,
    doc: "Network behind the chat servers; likewise.",
  },
  MESSENGER_DRIVER: {
    type: choice("sandbox", "telegram", "telegram-preview"),
    unset: byCredentials,
    doc: "Network behind the messenger; likewise.",
  },
  SANDBOX_POST_EVERY: {
    type: pace,
    default: "5s",
    doc: "How often an account of each simulated platform posts. `off`: on demand only.",
  },
} satisfies Settings;

const networks = {
  X_BEARER_TOKEN: { type: text("an app's bearer token"), unset: "none", doc: "The app's bearer token." },
  X_ACCESS_TOKEN: {
    type: text("the token of a user"),
    unset: "nobody is followed",
    doc: "Token of the account that follows the tracked accounts.",
  },
  X_MONTHLY_READS: {
    type: integer(1),
    unset: "as many as the plan pays for",
    doc: "Posts that may be read in a calendar month (UTC).",
  },
  X_BASE_URL: { type: baseUrl("http"), unset: "X's own", doc: "Another address of the API, for a stand-in." },
  BLUESKY_IDENTIFIER: {
    type: text("the handle or DID of an account"),
    unset: "none",
    doc: "Handle or DID of the account.",
  },
  BLUESKY_APP_PASSWORD: {
    type: text("an app password of that account"),
    unset: "none",
    doc: "App password of the account.",
  },
  BLUESKY_SERVICE: { type: baseUrl("http"), default: "https://bsky.social", doc: "Server of the account." },
  BLUESKY_RELAY: {
    type: baseUrl("ws"),
    default: "wss://bsky.network",
    doc: "Relay that streams what is written.",
  },
  MASTODON_URL: {
    type: baseUrl("http", ", such as https://mastodon.social, the server of the account"),
    unset: "none",
    doc: "Home server of the account, such as `https://mastodon.social`.",
  },
  MASTODON_ACCESS_TOKEN: {
    type: text("an access token of an account of that server"),
    unset: "none",
    doc: "Access token of the account.",
  },
  DISCORD_BOT_TOKEN: { type: text("the token of a bot"), unset: "none", doc: "Token of the bot." },
  DISCORD_API_URL: {
    type: baseUrl("http"),
    unset: "`https://discord.com/api`",
    doc: "Address of the HTTP API, without the version.",
  },
  TELEGRAM_API_ID: {
    type: integer(1, undefined, "the app's api_id, "),
    unset: "none",
    doc: "`api_id` of the app.",
  },
  TELEGRAM_API_HASH: { type: text("the app's api_hash"), unset: "none", doc: "`api_hash` of the app." },
  TELEGRAM_DC: {
    type: hostAndPort,
    unset: "the network's own",
    doc: "`host:port` of another data centre, for tests.",
  },
  TELEGRAM_PREVIEW_URL: {
    type: baseUrl("http"),
    default: "https://t.me/s",
    doc: "Address before a channel's name, for `telegram-preview`.",
  },
} satisfies Settings;

const command = {
  MAGPIE_URL: {
    type: baseUrl("http"),
    unset: "the service of this machine that works on `DATA_DIR`, else `http://127.0.0.1:3000`",
    doc: "The service that the command line asks.",
  },
  MAGPIE_API_KEY: {
    type: key,
    unset: "the first API key in `DATA_DIR`, unless `MAGPIE_URL` is set",
    doc: "The API key that the command line sends.",
  },
  MAGPIE_ADMIN_KEY: {
    type: key,
    unset: "the admin key in `DATA_DIR`, unless `MAGPIE_URL` is set",
    doc: "The admin key that `magpie keys` sends.",
  },
} satisfies Settings;

const log = {
  LOG_LEVEL: {
    type: choice("fatal", "error", "warn", "info", "debug", "trace"),
    default: "info",
    doc: "Least important level that is logged, on standard output. Keys and secrets are never among it.",
  },
  LOG_FORMAT: {
    type: choice("pretty", "json"),
    unset: "`pretty` on a terminal, else `json`",
    doc: "Lines for people, or one JSON object a line.",
  },
} satisfies Settings;

const traces = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: baseUrl("http"),
    unset: "no traces",
    doc: "An OpenTelemetry collector: traces go to `/v1/traces` below it, as OTLP over HTTP in JSON.",
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    type: headers,
    unset: "none",
    doc: "Headers for the collector, such as `authorization=Bearer …`. Never logged.",
  },
  OTEL_SERVICE_NAME: {
    type: text("a name"),
    default: "magpie",
    doc: "The name of this installation in traces.",
  },
  OTEL_TRACES_SAMPLER_ARG: {
    type: share,
    default: "1",
    doc: "The share of traces that is recorded, from 0 to 1.",
  },
} satisfies Settings;

const system = {
  NODE_ENV: {
    type: text(),
    unset: "none",
    doc: "`production`: a social platform without credentials is simulated only where its driver says `sandbox`.",
  },
  PATH: { type: text(), default: "", doc: "Where a browser is looked for when `BROWSER_PATH` is not set." },
} satisfies Settings;

/** Every setting by its variable. */
export const settings = {
  ...gateway,
  ...data,
  ...secrets,
  ...cluster,
  ...egress,
  ...tracking,
  ...scraping,
  ...platforms,
  ...networks,
  ...command,
  ...log,
  ...traces,
  ...system,
};

/** The same by subject, in the order of the reference. */
export const sections: Record<string, Settings> = {
  Gateway: gateway,
  Data: data,
  "Keys and secrets": secrets,
  Cluster: cluster,
  "Outgoing requests": egress,
  "Tracking and webhooks": tracking,
  "Scraping and crawling": scraping,
  "Social platforms": platforms,
  "Credentials and addresses of networks": networks,
  "Command line": command,
  Log: log,
  Traces: traces,
  "Read from the system": system,
};
