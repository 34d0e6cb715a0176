import type { ServiceSchema } from "moleculer";
import type { Config } from "../../config/config.ts";
import { resourceMixin } from "../../runtime/resource.mixin.ts";
import { openEmbeddedHostPoliteness } from "./embedded.host-politeness.ts";
import type { OpenHostPoliteness } from "./host-politeness.ts";

/** What the mixin adds to a service. */
export interface WithHostPoliteness {
  hostPoliteness: OpenHostPoliteness;
}

type Of = Pick<Config, "cluster">;

/** The host politeness of the installation as `this.hostPoliteness`. */
export function hostPolitenessMixin(config: Of): Partial<ServiceSchema> {
  return resourceMixin<WithHostPoliteness>("hostPoliteness", "host_politeness.failed", onError =>
    open(config, onError),
  );
}

async function open({ cluster }: Of, onError: (error: unknown) => void): Promise<OpenHostPoliteness> {
  if (!cluster) return openEmbeddedHostPoliteness();
  // The embedded mode does not load the clients of Redis, which take memory and time.
  const { openClusterHostPoliteness } = await import("./redis.host-politeness.ts");
  return openClusterHostPoliteness(cluster, onError);
}
