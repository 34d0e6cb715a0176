import type { Middleware, ServiceBroker } from "moleculer";

const perAction = [
  {
    type: "counter",
    name: "moleculer.request.total",
    labelNames: ["action"],
    description: "Calls of actions",
  },
  {
    type: "gauge",
    name: "moleculer.request.active",
    labelNames: ["action"],
    description: "Calls that are running",
  },
  {
    type: "counter",
    name: "moleculer.request.error.total",
    labelNames: ["action", "errorType"],
    description: "Calls that failed",
  },
  {
    type: "counter",
    name: "moleculer.request.levels",
    labelNames: [],
    description: "Calls, whatever the action",
  },
  {
    type: "histogram",
    name: "moleculer.request.time",
    labelNames: ["action"],
    buckets: [1, 10, 100, 1000, 10_000, 100_000],
    description: "Milliseconds that calls took",
  },
];

/**
 * Replaces Moleculer's metrics of calls by leaner ones of the same names: its own keep quantiles and rates, with four
 * labels each, which cost about as much as a call within the process.
 */
export const leanMetrics: Middleware = {
  name: "LeanMetrics",
  async starting(broker: ServiceBroker) {
    if (!broker.isMetricsEnabled()) return;
    // Moleculer declares an overload for each kind, and none for their union.
    for (const metric of perAction) broker.metrics.register(metric as never);
  },
};
