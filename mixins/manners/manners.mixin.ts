import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/mixin.ts";
import type { Config } from "../config/config.ts";
import { openEmbeddedManners } from "./embedded.manners.ts";
import type { OpenManners } from "./manners.ts";

/** What the mixin adds to a service. */
export interface WithManners {
  manners: OpenManners;
}

type Of = Pick<Config, "cluster">;

interface Inside {
  manners?: OpenManners;
}

/** How the installation behaves to hosts, as `this.manners`. */
export function mannersMixin(config: Of): Partial<ServiceSchema> {
  return mixin<Inside>({
    async started() {
      const onError = (error: unknown) => this.logger.error("manners.hindered", { error });
      this.manners = await open(config, onError);
    },
    async stopped() {
      await this.manners?.close();
      this.manners = undefined;
    },
  });
}

async function open({ cluster }: Of, onError: (error: unknown) => void): Promise<OpenManners> {
  if (!cluster) return openEmbeddedManners();
  // The clients of Redis are memory and time that the embedded mode need not spend.
  const { openClusterManners } = await import("./cluster.manners.ts");
  return openClusterManners(cluster, onError);
}
