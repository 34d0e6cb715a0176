import type { Middleware, ServiceBroker } from "moleculer";

/** Left for calls that go on although nobody waits for their answer any more. */
const leastMs = 1000;

/**
 * On a stop, services with a `drain` method finish first. Moleculer stops all services at once, so that requests in
 * flight would lose the rooms that they still need. What draining took is taken off the time that the rest may take.
 */
export const drainFirst: Middleware = {
  name: "DrainFirst",
  async stopping(broker: ServiceBroker) {
    const since = performance.now();
    await Promise.all(broker.services.map(service => (service as { drain?: () => Promise<void> }).drain?.()));
    const { tracking } = broker.options;
    const left = (tracking?.shutdownTimeout ?? 0) - (performance.now() - since);
    if (tracking) tracking.shutdownTimeout = Math.max(leastMs, Math.round(left));
  },
};
