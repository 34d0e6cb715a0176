import type { ClusterConfig } from "../config/cluster.ts";
import { openSharedRedis } from "../redis/shared-redis.ts";
import type { OpenLeases } from "./lease.ts";
import { openRedisLeases } from "./redis.leases.ts";

/** The leases of a cluster, on the connection that this process has for all. */
export function openClusterLeases(
  { redisUrl, namespace }: ClusterConfig,
  onError: (error: unknown) => void,
): OpenLeases {
  const { redis, tell, close } = openSharedRedis(redisUrl, onError);
  const leases = openRedisLeases({ redis, namespace, onError: tell });
  return {
    ...leases,
    close: async () => {
      await leases.close();
      close();
    },
  };
}
