import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/service.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/env.ts";
import { createEgress, type Egress, type EgressOptions } from "./egress.ts";
import { createRefusalLog } from "./refusal-log.ts";

/** What the mixin adds to a service. */
export interface WithEgress {
  egress: Egress;
}

type EgressConfig = Pick<Config, "egressAllow" | "egressDnsServers">;

/** The guarded way out as `this.egress`. Mixins that use it must come after this one. */
export function egressMixin(config: EgressConfig): Partial<ServiceSchema> {
  return mixin<WithEgress>({
    created() {
      this.egress = openEgress(config, createRefusalLog(this.logger));
    },
    async stopped() {
      await this.egress.close();
    },
  });
}

export function openEgress(
  { egressAllow: allow, egressDnsServers: servers }: EgressConfig,
  onRefusal?: EgressOptions["onRefusal"],
): Egress {
  try {
    return createEgress({
      allow,
      ...(servers.length > 0 && { names: { servers } }),
      ...(onRefusal && { onRefusal }),
    });
  } catch {
    throw new ConfigError("EGRESS_ALLOW", "a comma list of CIDRs, addresses and host:port pairs");
  }
}
