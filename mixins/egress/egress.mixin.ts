import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/mixin.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { createEgress, type Egress } from "./egress.ts";

/** What a room with this mixin has. */
export interface WithEgress {
  egress: Egress;
}

/** The guarded way out as `this.egress`. Mixins that use it stand after this one. */
export function egressMixin(config: Pick<Config, "egressAllow">): Partial<ServiceSchema> {
  return mixin<WithEgress>({
    created() {
      this.egress = openEgress(config.egressAllow);
    },
    async stopped() {
      await this.egress.close();
    },
  });
}

function openEgress(allow: string[]): Egress {
  try {
    return createEgress({ allow });
  } catch {
    throw new ConfigError("EGRESS_ALLOW", "a comma list of CIDRs, addresses and host:port pairs");
  }
}
