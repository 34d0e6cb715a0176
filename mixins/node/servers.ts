import type { ServiceBroker } from "moleculer";
import type { Finding } from "../../services/contracts/health.contract.ts";

/** What a node shares with others, and cannot work without. */
export interface Servers {
  /** Whether other nodes share them, and so may have the rooms that this one has not. */
  areShared: boolean;
  /** One for each, within 2 s. */
  findings(): Promise<Finding[]>;
}

const known = new WeakMap<ServiceBroker, Servers>();
const none: Servers = { areShared: false, findings: async () => [] };

/** Of the node that a broker is. */
export function serversOf(broker: ServiceBroker): Servers {
  return known.get(broker) ?? none;
}

/** Has the node that a broker is tell of them; without any, of none. */
export function setServers(broker: ServiceBroker, servers: Servers = none): void {
  known.set(broker, servers);
}
