import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { hostname } from "node:os";
import { join } from "node:path";
import type { BrokerOptions } from "moleculer";
import { CapacityStrategy, capacityInHeartbeats } from "./mixins/bus/capacity.strategy.ts";
import { LazyValidator } from "./mixins/bus/lazy-validator.ts";
import { isRetry, repeat } from "./mixins/bus/repeat.middleware.ts";
import { NatsTransporter } from "./mixins/bus/transporter.ts";
import { clusterNode, refuseOtherClusters } from "./mixins/cluster/cluster-node.middleware.ts";
import { type ClusterConfig, type Config, configFromEnv } from "./mixins/config/config.ts";
import { loggerOptions } from "./mixins/log/logger.ts";
import { reportActivity } from "./mixins/runtime/activity.middleware.ts";
import { superviseCalls } from "./mixins/runtime/calls.middleware.ts";
import { restartAfterCrash } from "./mixins/runtime/crash-restart.middleware.ts";
import { drainFirst, stopInOrder } from "./mixins/runtime/graceful-stop.middleware.ts";
import { giveBackMemory } from "./mixins/runtime/idle-memory.middleware.ts";
import { nodeGauges } from "./mixins/runtime/node-gauges.middleware.ts";
import { checkServices, plainStart, refuseToStart } from "./mixins/runtime/start-errors.middleware.ts";
import { tracingOptions } from "./mixins/tracing/tracing.ts";
import { replOptions } from "./services/admin/repl/repl-options.ts";

const { version } = createRequire(import.meta.url)("./package.json") as { version: string };

/** The broker's options; the same for every node, whichever services it runs. `server`: the one that its REPL asks, by default this one. */
export function brokerOptions(config: Config, server?: string): BrokerOptions {
  const repl = replOptions(config, server);
  return {
    namespace: config.cluster?.namespace ?? "magpie",
    ...(config.cluster && { transporter: new NatsTransporter(config.cluster) }),
    nodeID: `${hostname()}-${process.pid}-${randomBytes(2).toString("hex")}`,
    // Moleculer's default is none: a call to a node that was killed would hang.
    registry: { strategy: CapacityStrategy },
    requestTimeout: 15_000,
    heartbeatInterval: 1,
    heartbeatTimeout: 3,
    serializer: "JSON",
    validator: new LazyValidator(),
    // Calls in flight finish before a service stops.
    tracking: { shutdownTimeout: 20_000 },
    tracing: tracingOptions(config.tracing, version),
    internalMiddlewares: false,
    // The first is the innermost, and the last to stop: `superviseCalls` sets the deadline of all tries of `repeat`, and has
    // waited for a service's calls before `repeat` rejects those that are left. Moleculer's Fallback and Retry are left out:
    // the first costs a promise a call; the second restarts the timeout on each try and does not know which calls may be
    // repeated.
    middlewares: [
      drainFirst,
      nodeGauges(config, version),
      reportActivity,
      repeat(),
      capacityInHeartbeats(),
      repl.middleware,
      "ActionHook",
      "Validator",
      superviseCalls(isRetry),
      "ErrorHandler",
      "Tracing",
    ],
    replOptions: repl.options,
    logger: loggerOptions(config),
  };
}

/** Called by Moleculer's runner. */
export default function start(): BrokerOptions {
  try {
    const config = configFromEnv();
    checkServices(config.services, join(import.meta.dirname, "services"));
    const options = brokerOptions(config);
    const { middlewares = [] } = options;
    const ofCluster = isClustered(config)
      ? [clusterNode(config, refuseToStart), refuseOtherClusters(refuseToStart)]
      : [];
    return {
      ...options,
      middlewares: [
        ...middlewares,
        ...ofCluster,
        giveBackMemory(),
        stopInOrder(),
        plainStart(refuseToStart),
        restartAfterCrash(config),
      ],
    };
  } catch (error) {
    return refuseToStart(error);
  }
}

function isClustered(config: Config): config is Config & { cluster: ClusterConfig } {
  return config.cluster !== undefined;
}
