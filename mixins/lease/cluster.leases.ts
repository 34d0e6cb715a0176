import type { ClusterConfig } from "../config/cluster.ts";
import { onSharedRedis } from "../redis/on-shared-redis.ts";
import type { OpenLeases } from "./lease.ts";
import { openRedisLeases } from "./redis.leases.ts";

/** The leases of a cluster. */
export function openClusterLeases(cluster: ClusterConfig, onError: (error: unknown) => void): OpenLeases {
  return onSharedRedis(cluster, onError, openRedisLeases);
}
