import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/mixin.ts";
import type { Config } from "../config/config.ts";
import { openEmbeddedLeases } from "./embedded.leases.ts";
import type { OpenLeases } from "./lease.ts";

/** What the mixin adds to a service. */
export interface WithLeases {
  leases: OpenLeases;
}

interface Inside {
  leases?: OpenLeases;
}

/** Leases of the installation as `this.leases`; those that the service holds are released when it stops. */
export function leaseMixin(config: Pick<Config, "dataDir" | "cluster">): Partial<ServiceSchema> {
  return mixin<Inside>({
    async started() {
      this.leases = openEmbeddedLeases(config.dataDir);
    },
    async stopped() {
      await this.leases?.close();
      this.leases = undefined;
    },
  });
}
