import type { ServiceBroker } from "moleculer";
import type { Request, Response } from "../gateway.ts";

const requests = "magpie.http.requests.total";
const duration = "magpie.http.request.duration.seconds";

/** Labels are the route's template, never its parameters or keys. */
export function registerHttpMetrics(broker: ServiceBroker): void {
  if (!broker.isMetricsEnabled() || broker.metrics.hasMetric(requests)) return;
  broker.metrics.register({
    type: "counter",
    name: requests,
    labelNames: ["method", "route", "status"],
    description: "HTTP requests that were answered, or given up by the client (status 499)",
  });
  broker.metrics.register({
    type: "histogram",
    name: duration,
    labelNames: ["route"],
    buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 600],
    description: "Seconds from the request's headers to the end of the answer",
  });
}

export function observeRequest(broker: ServiceBroker, req: Request, res: Response): void {
  if (!broker.isMetricsEnabled()) return;
  const route = req.match?.route.path ?? "unmatched";
  const status = res.writableFinished ? res.statusCode : 499;
  broker.metrics.increment(requests, { method: knownMethod(req.method), route, status });
  broker.metrics.observe(duration, (performance.now() - req.startedAt) / 1000, { route });
}

/** Clients choose methods freely; a label must not grow with them. */
function knownMethod(method = "OTHER"): string {
  return ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].includes(method) ? method : "OTHER";
}
