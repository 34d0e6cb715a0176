import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import type { BrokerOptions } from "moleculer";
import { NatsBus } from "./mixins/bus/nats.transporter.ts";
import { repeat } from "./mixins/bus/repeat.middleware.ts";
import type { ClusterConfig } from "./mixins/config/cluster.ts";
import { type Config, configFromEnv } from "./mixins/config/config.ts";
import { socialSecrets } from "./mixins/config/social.ts";
import { checkRooms } from "./mixins/lifecycle/check-rooms.ts";
import { drainFirst } from "./mixins/lifecycle/drain-first.middleware.ts";
import { plainStart } from "./mixins/lifecycle/plain-start.middleware.ts";
import { refuseToStart } from "./mixins/lifecycle/refuse-to-start.ts";
import { jsonLine, prettyLine } from "./mixins/logger/format-line.ts";
import { redactor } from "./mixins/logger/redact.ts";
import { leanMetrics } from "./mixins/metrics/lean-metrics.middleware.ts";
import { clusterNode } from "./mixins/node/cluster-node.middleware.ts";
import { ownCluster } from "./mixins/node/own-cluster.middleware.ts";
import { replOf } from "./services/admin/repl/repl-of.ts";

/** The broker's options; the same for every node, whatever rooms it runs. `server`: what its REPL asks, if not this one. */
export function brokerOptions(config: Config, server?: string): BrokerOptions {
  const repl = replOf(config, server);
  return {
    namespace: config.cluster?.namespace ?? "magpie",
    ...(config.cluster && { transporter: new NatsBus(config.cluster) }),
    nodeID: `${hostname()}-${process.pid}-${randomBytes(2).toString("hex")}`,
    // Moleculer's default is none: a call to a node that was killed would hang.
    requestTimeout: 15_000,
    heartbeatInterval: 1,
    heartbeatTimeout: 3,
    // Moleculer's own gives each try the whole timeout, and does not know which calls may be repeated.
    retryPolicy: { enabled: false },
    serializer: "JSON",
    validator: true,
    // Calls in flight finish before a service stops; all of a stop stays within 25 s.
    tracking: { enabled: true, shutdownTimeout: 20_000 },
    // Exported by the gateway, so that no reporter opens a port of its own.
    metrics: { enabled: true, reporter: [] },
    middlewares: [drainFirst, leanMetrics, repeat(), repl.middleware],
    replOptions: repl.options,
    logger: logger(config),
  };
}

function logger(config: Config): BrokerOptions["logger"] {
  const { log, adminKey, masterSecret, bootstrapApiKey, llm, social } = config;
  const own = [adminKey, masterSecret, bootstrapApiKey, llm?.apiKey].flatMap(value => value ?? []);
  const redact = redactor([...own, ...socialSecrets(social)]);
  const format = log.format === "json" ? jsonLine : prettyLine;
  return {
    type: "Console",
    options: {
      // The broker's own steps are of interest only when something is sought.
      level:
        log.level === "info"
          ? { BROKER: "warn", REGISTRY: "warn", METRICS: "warn", "**": "info" }
          : log.level,
      colors: false,
      formatter: (level: string, args: unknown[], bindings?: object) => [
        redact(format(level, args, bindings)),
      ],
    },
  };
}

/** Called by Moleculer's runner. */
export default function start(): BrokerOptions {
  try {
    const config = configFromEnv();
    checkRooms(config.services, join(import.meta.dirname, "services"));
    const options = brokerOptions(config);
    const { middlewares = [] } = options;
    const ofCluster = isClustered(config)
      ? [clusterNode(config, refuseToStart), ownCluster(refuseToStart)]
      : [];
    return { ...options, middlewares: [...middlewares, ...ofCluster, plainStart(refuseToStart)] };
  } catch (error) {
    return refuseToStart(error);
  }
}

function isClustered(config: Config): config is Config & { cluster: ClusterConfig } {
  return config.cluster !== undefined;
}
