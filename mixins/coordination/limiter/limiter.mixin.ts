import type { ServiceSchema } from "moleculer";
import type { Config } from "../../config/config.ts";
import { resourceMixin } from "../../runtime/resource.mixin.ts";
import type { Limiter, OpenLimiter } from "./limiter.ts";
import { memoryLimiter } from "./memory.limiter.ts";

/** What the mixin adds to a service. */
export interface WithLimiter {
  limiter: Limiter;
}

type Of = Pick<Config, "cluster">;

/** Rates and slots by key, of the process or of the cluster; the accessor is `this.limiter`. */
export function limiterMixin(config: Of): Partial<ServiceSchema> {
  return resourceMixin<WithLimiter>("limiter", "limiter.failed", onError => open(config, onError));
}

async function open({ cluster }: Of, onError: (error: unknown) => void): Promise<OpenLimiter> {
  if (!cluster) return memoryLimiter();
  // The embedded mode does not load the clients of Redis, which take memory and time.
  const { openClusterLimiter } = await import("./redis.limiter.ts");
  return openClusterLimiter(cluster, onError);
}
