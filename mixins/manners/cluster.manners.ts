import type { ClusterConfig } from "../config/cluster.ts";
import { onSharedRedis } from "../redis/on-shared-redis.ts";
import type { OpenManners } from "./manners.ts";
import { openRedisManners } from "./redis.manners.ts";

/** The manners of a cluster. */
export function openClusterManners(cluster: ClusterConfig, onError: (error: unknown) => void): OpenManners {
  return onSharedRedis(cluster, onError, openRedisManners);
}
