import type { ClusterConfig } from "../config/cluster.ts";
import { openSharedRedis } from "../redis/shared-redis.ts";
import type { OpenLimiter } from "./limiter.ts";
import { redisLimiter } from "./redis.limiter.ts";

/** The limiter of a cluster, on the connection that this process has for all. */
export function openClusterLimiter(
  { redisUrl, namespace }: ClusterConfig,
  onError: (error: unknown) => void,
): OpenLimiter {
  const { redis, tell, close } = openSharedRedis(redisUrl, onError);
  const limiter = redisLimiter({ redis, namespace, onError: tell });
  return {
    ...limiter,
    close: async () => {
      await limiter.close();
      close();
    },
  };
}
