import type { ServiceSchema } from "moleculer";
import type { Config } from "../config/config.ts";
import { openedAs } from "../lifecycle/opened-as.ts";
import type { Limiter, OpenLimiter } from "./limiter.ts";
import { memoryLimiter } from "./memory.limiter.ts";

/** What the mixin adds to a service. */
export interface WithLimiter {
  limiter: Limiter;
}

type Of = Pick<Config, "cluster">;

/** Rates and slots by key, of the process or of the cluster; the accessor is `this.limiter`. */
export function limiterMixin(config: Of): Partial<ServiceSchema> {
  return openedAs("limiter", "limiter", onError => open(config, onError));
}

async function open({ cluster }: Of, onError: (error: unknown) => void): Promise<OpenLimiter> {
  if (!cluster) return memoryLimiter();
  // The clients of Redis are memory and time that the embedded mode need not spend.
  const { openClusterLimiter } = await import("./cluster.limiter.ts");
  return openClusterLimiter(cluster, onError);
}
