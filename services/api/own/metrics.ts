import { type Metric, prometheusText } from "../metrics/prometheus-text.ts";
import type { OwnAnswer } from "../route.ts";

/** Open like the health checks: it counts, and names no key, owner or address. */
export const metrics: OwnAnswer = {
  params: { $$strict: true },
  answer({ broker, http }) {
    const registered = broker.isMetricsEnabled() ? (broker.metrics.store.values() as Iterable<Metric>) : [];
    return {
      type: "text/plain; version=0.0.4; charset=utf-8",
      body: prometheusText([...registered, http, ...ofProcess()]),
    };
  },
};

function ofProcess(): Metric[] {
  const { user, system } = process.cpuUsage();
  return [
    one("process_cpu_seconds_total", "counter", "CPU time of this process", (user + system) / 1e6),
    one(
      "process_resident_memory_bytes",
      "gauge",
      "Resident memory of this process",
      process.memoryUsage.rss(),
    ),
  ];
}

function one(name: string, type: string, description: string, value: number): Metric {
  return { name, type, description, snapshot: () => [{ value }] };
}
