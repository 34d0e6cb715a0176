import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { readEnv } from "../../mixins/config/env.ts";
import { brokerOptions } from "../../moleculer.config.ts";

/** Sees who is on the bus, from a node of its own without services. */
export interface BusWatch {
  /** The id of the node that begins so and has its services running. */
  nodeOf(prefix: string): string | undefined;
  /** The names of the services that run on any node. */
  services(): string[];
  close(): Promise<void>;
}

export async function watchBus(env: NodeJS.ProcessEnv): Promise<BusWatch> {
  const broker = new ServiceBroker({
    ...brokerOptions(toConfig(readEnv(env))),
    logger: false,
    metrics: false,
    skipProcessEventRegistration: true,
  });
  await broker.start();
  return {
    nodeOf: prefix => running(broker).find(({ nodeID }) => nodeID.startsWith(prefix))?.nodeID,
    services: () => running(broker).map(({ name }) => name),
    close: () => broker.stop(),
  };
}

interface Running {
  name: string;
  nodeID: string;
}

function running(broker: ServiceBroker): Running[] {
  return broker.registry.getServiceList({ onlyAvailable: true, skipInternal: true }) as Running[];
}
