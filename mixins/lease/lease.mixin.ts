import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/mixin.ts";
import type { ClusterConfig } from "../config/cluster.ts";
import type { Config } from "../config/config.ts";
import { openSharedRedis } from "../redis/shared-redis.ts";
import { openEmbeddedLeases } from "./embedded.leases.ts";
import type { OpenLeases } from "./lease.ts";
import { openRedisLeases } from "./redis.leases.ts";

/** What the mixin adds to a service. */
export interface WithLeases {
  leases: OpenLeases;
}

interface Inside {
  leases?: OpenLeases;
}

/** Leases of the installation as `this.leases`; those that the service holds are released when it stops. */
export function leaseMixin({
  dataDir,
  cluster,
}: Pick<Config, "dataDir" | "cluster">): Partial<ServiceSchema> {
  return mixin<Inside>({
    async started() {
      const onError = (error: unknown) => this.logger.error("lease.hindered", { error });
      this.leases = cluster ? openInCluster(cluster, onError) : openEmbeddedLeases(dataDir);
    },
    async stopped() {
      await this.leases?.close();
      this.leases = undefined;
    },
  });
}

function openInCluster(
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
