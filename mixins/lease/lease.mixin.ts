import type { ServiceSchema } from "moleculer";
import type { Config } from "../config/config.ts";
import { openedAs } from "../lifecycle/opened-as.ts";
import { openEmbeddedLeases } from "./embedded.leases.ts";
import type { OpenLeases } from "./lease.ts";

/** What the mixin adds to a service. */
export interface WithLeases {
  leases: OpenLeases;
}

type Of = Pick<Config, "dataDir" | "cluster">;

/** Leases of the installation as `this.leases`; those that the service holds are released when it stops. */
export function leaseMixin(config: Of): Partial<ServiceSchema> {
  return openedAs("leases", "lease", onError => open(config, onError));
}

async function open({ dataDir, cluster }: Of, onError: (error: unknown) => void): Promise<OpenLeases> {
  if (!cluster) return openEmbeddedLeases(dataDir);
  // The clients of Redis are memory and time that the embedded mode need not spend.
  const { openClusterLeases } = await import("./cluster.leases.ts");
  return openClusterLeases(cluster, onError);
}
