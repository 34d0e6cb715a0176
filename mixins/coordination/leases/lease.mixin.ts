import type { ServiceSchema } from "moleculer";
import type { Config } from "../../config/config.ts";
import { resourceMixin } from "../../runtime/resource.mixin.ts";
import { openEmbeddedLeases } from "./embedded.leases.ts";
import type { OpenLeases } from "./lease.ts";

/** What the mixin adds to a service. */
export interface WithLeases {
  leases: OpenLeases;
}

type Of = Pick<Config, "dataDir" | "cluster">;

/** Leases of the installation as `this.leases`; those that the service holds are released when it stops. */
export function leaseMixin(config: Of): Partial<ServiceSchema> {
  return resourceMixin<WithLeases>("leases", "leases.failed", onError => open(config, onError));
}

async function open({ dataDir, cluster }: Of, onError: (error: unknown) => void): Promise<OpenLeases> {
  if (!cluster) return openEmbeddedLeases(dataDir);
  // The embedded mode does not load the clients of Redis, which take memory and time.
  const { openClusterLeases } = await import("./redis.leases.ts");
  return openClusterLeases(cluster, onError);
}
