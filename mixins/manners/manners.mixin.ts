import type { ServiceSchema } from "moleculer";
import type { Config } from "../config/config.ts";
import { openedAs } from "../lifecycle/opened-as.ts";
import { openEmbeddedManners } from "./embedded.manners.ts";
import type { OpenManners } from "./manners.ts";

/** What the mixin adds to a service. */
export interface WithManners {
  manners: OpenManners;
}

type Of = Pick<Config, "cluster">;

/** How the installation behaves to hosts, as `this.manners`. */
export function mannersMixin(config: Of): Partial<ServiceSchema> {
  return openedAs("manners", "manners", onError => open(config, onError));
}

async function open({ cluster }: Of, onError: (error: unknown) => void): Promise<OpenManners> {
  if (!cluster) return openEmbeddedManners();
  // The clients of Redis are memory and time that the embedded mode need not spend.
  const { openClusterManners } = await import("./cluster.manners.ts");
  return openClusterManners(cluster, onError);
}
