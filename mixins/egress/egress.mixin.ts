import type { Logger, ServiceBroker, ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/service.ts";
import { canonicalHost } from "../../services/domain/url/address-policy.ts";
import { permittingSetting, refusalReasons } from "../../services/domain/url/refusals.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/env.ts";
import { logEvent } from "../log/log-events.ts";
import { counterOf } from "../runtime/counters.ts";
import { createEgress, type Egress, type EgressOptions, type Refused } from "./egress.ts";

/** What the mixin adds to a service. */
export interface WithEgress {
  egress: Egress;
}

/** Services that use no proxies of the operator's have none. */
type EgressConfig = Pick<Config, "egressAllow" | "egressDnsServers"> &
  Partial<Pick<Config, "proxies" | "botIdentity">>;

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
  { egressAllow: allow, egressDnsServers: servers, proxies = {}, botIdentity: identity }: EgressConfig,
  onRefusal?: EgressOptions["onRefusal"],
): Egress {
  try {
    return createEgress({
      allow,
      names: servers.length > 0 ? { servers } : { system: hostsOf(proxies) },
      ...(identity && { identity }),
      ...(onRefusal && { onRefusal }),
    });
  } catch {
    throw new ConfigError("EGRESS_ALLOW", "a comma list of CIDRs, addresses and host:port pairs");
  }
}

function hostsOf(proxies: Config["proxies"]): string[] {
  return Object.values(proxies)
    .flat()
    .map(url => canonicalHost(new URL(url).hostname));
}

const windowMs = 60_000;
/** Hosts that a minute of the log holds. A client may name any number of them. */
const maxHosts = 100;

/**
 * Logs which setting would permit what the guard refused: once per host and minute, and no more than a hundred hosts a
 * minute. Those beyond are counted, and the next line has their number. What no setting permits is not logged.
 */
export function createRefusalLog(
  logger: Pick<Logger, "warn">,
  now: () => number = Date.now,
): (refused: Refused) => void {
  const loggedAt = new Map<string, number>();
  let unlogged = 0;
  return ({ host: spelt, port, rules }) => {
    const host = spelt.replace(/^\[|\]$/g, "");
    const settings = rules.flatMap(rule => permittingSetting(rule, host, port) ?? []);
    if (settings.length === 0) return;
    const time = now();
    for (const [known, at] of loggedAt) {
      // In the order of their times, so the rest is younger.
      if (time - at < windowMs) break;
      loggedAt.delete(known);
    }
    if (loggedAt.has(host)) return;
    if (loggedAt.size >= maxHosts) {
      unlogged += 1;
      return;
    }
    loggedAt.set(host, time);
    logEvent(logger, "egress.refused", {
      host,
      port,
      rules,
      permittedBy: settings.join(" "),
      ...(unlogged > 0 && { unlogged }),
    });
    unlogged = 0;
  };
}
