import type { Middleware, ServiceBroker } from "moleculer";

/**
 * On a stop, services with a `drain` method finish first. Moleculer stops all services at once, so that requests in
 * flight would lose the rooms that they still need.
 */
export const drainFirst: Middleware = {
  name: "DrainFirst",
  async stopping(broker: ServiceBroker) {
    await Promise.all(broker.services.map(service => (service as { drain?: () => Promise<void> }).drain?.()));
  },
};
