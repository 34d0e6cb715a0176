import type { Middleware, ServiceBroker } from "moleculer";

/** Left for calls that go on although nobody waits for their answer any more. */
const leastMs = 1000;

/**
 * Calls that this node made of others. Moleculer waits for them before anything else of a stop, and for ever for those
 * whose answer came too late; whoever made a call waits for it.
 */
const untracked = { length: 0, push: () => 0, indexOf: () => -1 };

/**
 * On a stop, services with a `drain` method finish first. Moleculer stops all services at once, so that requests in
 * flight would lose the rooms that they still need. What draining took is taken off the time that the rest may take.
 */
export const drainFirst: Middleware = {
  name: "DrainFirst",
  async starting(broker: ServiceBroker) {
    Reflect.set(broker, "_trackedContexts", untracked);
  },
  async stopping(broker: ServiceBroker) {
    const since = performance.now();
    await Promise.all(broker.services.map(service => (service as { drain?: () => Promise<void> }).drain?.()));
    const { tracking } = broker.options;
    const left = (tracking?.shutdownTimeout ?? 0) - (performance.now() - since);
    if (tracking) tracking.shutdownTimeout = Math.max(leastMs, Math.round(left));
  },
};
