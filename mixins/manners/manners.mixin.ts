import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/mixin.ts";
import type { ClusterConfig } from "../config/cluster.ts";
import type { Config } from "../config/config.ts";
import { openSharedRedis } from "../redis/shared-redis.ts";
import { openEmbeddedManners } from "./embedded.manners.ts";
import type { OpenManners } from "./manners.ts";
import { openRedisManners } from "./redis.manners.ts";

/** What the mixin adds to a service. */
export interface WithManners {
  manners: OpenManners;
}

interface Inside {
  manners?: OpenManners;
}

/** How the installation behaves to hosts, as `this.manners`. */
export function mannersMixin({ cluster }: Pick<Config, "cluster">): Partial<ServiceSchema> {
  return mixin<Inside>({
    async started() {
      const onError = (error: unknown) => this.logger.error("manners.hindered", { error });
      this.manners = cluster ? openInCluster(cluster, onError) : openEmbeddedManners();
    },
    async stopped() {
      await this.manners?.close();
      this.manners = undefined;
    },
  });
}

function openInCluster(
  { redisUrl, namespace }: ClusterConfig,
  onError: (error: unknown) => void,
): OpenManners {
  const { redis, tell, close } = openSharedRedis(redisUrl, onError);
  const manners = openRedisManners({ redis, namespace, onError: tell });
  return {
    ...manners,
    close: async () => {
      await manners.close();
      close();
    },
  };
}
