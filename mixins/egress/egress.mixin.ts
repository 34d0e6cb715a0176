import type { ServiceBroker, ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/service.ts";
import { refusalReasons } from "../../services/domain/url/refusals.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/env.ts";
import { counterOf } from "../runtime/counters.ts";
import { createEgress, type Egress, type EgressOptions, type Refused } from "./egress.ts";
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
      const log = createRefusalLog(this.logger);
      const count = countRefusals(this.broker);
      this.egress = openEgress(config, refused => {
        count(refused);
        log(refused);
      });
    },
    async stopped() {
      await this.egress.close();
    },
  });
}

function countRefusals(broker: ServiceBroker): (refused: Refused) => void {
  const refusals = counterOf(broker, {
    name: "magpie_egress_refused_total",
    description: "Connections and URLs that the egress guard refused, by the first rule",
    by: [["reason", Object.keys(refusalReasons)]],
  });
  return ({ rules: [rule] }) => refusals.add(rule);
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
