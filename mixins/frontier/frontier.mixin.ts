import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/mixin.ts";
import type { Config } from "../config/config.ts";
import { type OpenFrontier, openEmbeddedFrontier } from "./embedded.frontier.ts";
import type { Frontier } from "./frontier.ts";

/** What the mixin adds to a service. */
export interface WithFrontier {
  frontier: Frontier;
}

type Of = Pick<Config, "dataDir" | "cluster">;

interface Inside {
  frontier?: OpenFrontier;
}

/** The pages of every crawl of the installation as `this.frontier`. */
export function frontierMixin(config: Of): Partial<ServiceSchema> {
  return mixin<Inside>({
    async started() {
      const onError = (error: unknown) => this.logger.error("frontier.hindered", { error });
      this.frontier = await open(config, onError);
    },
    async stopped() {
      await this.frontier?.close();
      this.frontier = undefined;
    },
  });
}

async function open({ dataDir, cluster }: Of, onError: (error: unknown) => void): Promise<OpenFrontier> {
  if (!cluster) return openEmbeddedFrontier(join(dataDir, "magpie.db"));
  // The clients of Redis are memory and time that the embedded mode need not spend.
  const { openRedisFrontier } = await import("./redis.frontier.ts");
  return openRedisFrontier({ url: cluster.redisUrl, prefix: `${cluster.namespace}:frontier`, onError });
}
