import type { ClusterConfig } from "../config/cluster.ts";
import { onSharedRedis } from "../redis/on-shared-redis.ts";
import type { OpenLimiter } from "./limiter.ts";
import { redisLimiter } from "./redis.limiter.ts";

/** The limiter of a cluster. */
export function openClusterLimiter(cluster: ClusterConfig, onError: (error: unknown) => void): OpenLimiter {
  return onSharedRedis(cluster, onError, redisLimiter);
}
