/** Settings of every process, whatever its services do. */
import {
  baseUrl,
  choice,
  headers,
  integer,
  matching,
  mongoUrl,
  natsUrls,
  redisUrl,
  share,
  text,
} from "../setting-types.ts";
import { key, port, type Settings } from "./setting.ts";

const kept = "generated at the first start and kept in `DATA_DIR`";

export const data = {
  DATA_DIR: {
    type: text("a folder"),
    default: "./data",
    doc: "Folder of everything that must survive a restart. One process uses it at a time. A node of a cluster keeps nothing there.",
  },
} satisfies Settings;

export const secrets = {
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

export const cluster = {
  NATS_URL: {
    type: natsUrls,
    unset: "embedded mode",
    doc: "NATS of the cluster. Takes several URLs with commas between them, `tls://`, and a token in the user's place. A cluster needs all of `NATS_URL`, `REDIS_URL` and `MONGO_URL`.",
  },
  REDIS_URL: {
    type: redisUrl,
    unset: "embedded mode",
    doc: "Redis of the cluster. `rediss://` uses TLS. With Redis Sentinel: `redis+sentinel://user:password@host:26379,host:26379/name/0`, or `rediss+sentinel://`; user, password and number are those of the primary.",
  },
  REDIS_REPLICAS: {
    type: integer(0, 9),
    default: "0",
    doc: "Replicas of Redis that must have an event before it counts as kept. While fewer confirm, nothing is appended and new events are not shown. See [a Redis that may be lost](../operations/cluster.md#a-redis-that-may-be-lost).",
  },
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

export const log = {
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

export const traces = {
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

export const system = {
  NODE_ENV: {
    type: text(),
    unset: "none",
    doc: "`production`: a social platform without credentials is simulated only where its driver says `sandbox`.",
  },
  PATH: { type: text(), default: "", doc: "Where a browser is looked for when `BROWSER_PATH` is not set." },
} satisfies Settings;
