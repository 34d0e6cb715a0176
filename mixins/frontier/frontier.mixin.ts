import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import type { Config } from "../config/config.ts";
import { resourceMixin } from "../runtime/resource.mixin.ts";
import { type OpenFrontier, openEmbeddedFrontier } from "./embedded.frontier.ts";
import type { Frontier } from "./frontier.ts";

/** What the mixin adds to a service. */
export interface WithFrontier {
  frontier: Frontier;
}

type Of = Pick<Config, "dataDir" | "cluster">;

/** The pages of every crawl of the installation as `this.frontier`. */
export function frontierMixin(config: Of): Partial<ServiceSchema> {
  return resourceMixin<WithFrontier>("frontier", "frontier.failed", onError => open(config, onError));
}

async function open({ dataDir, cluster }: Of, onError: (error: unknown) => void): Promise<OpenFrontier> {
  if (!cluster) return openEmbeddedFrontier(join(dataDir, "magpie.db"));
  // The clients of Redis are memory and time that the embedded mode need not spend.
  const { openRedisFrontier } = await import("./redis.frontier.ts");
  return openRedisFrontier({ url: cluster.redisUrl, prefix: `${cluster.namespace}:frontier`, onError });
}
