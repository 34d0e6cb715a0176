import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/mixin.ts";
import type { ClusterConfig } from "../config/cluster.ts";
import type { Config } from "../config/config.ts";
import { openSharedRedis } from "../redis/shared-redis.ts";
import type { Limiter, OpenLimiter } from "./limiter.ts";
import { memoryLimiter } from "./memory.limiter.ts";
import { redisLimiter } from "./redis.limiter.ts";

/** What the mixin adds to a service. */
export interface WithLimiter {
  limiter: Limiter;
}

interface Inside {
  limiter?: OpenLimiter;
}

/** Rates and slots by key, of the process or of the cluster; the accessor is `this.limiter`. */
export function limiterMixin({ cluster }: Pick<Config, "cluster">): Partial<ServiceSchema> {
  return mixin<Inside>({
    async started() {
      const onError = (error: unknown) => this.logger.error("limiter.hindered", { error });
      this.limiter = cluster ? openInCluster(cluster, onError) : memoryLimiter();
    },
    async stopped() {
      await this.limiter?.close();
      this.limiter = undefined;
    },
  });
}

function openInCluster(
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
