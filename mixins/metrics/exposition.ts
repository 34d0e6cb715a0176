import type { ServiceBroker } from "moleculer";
import { type Gauge, gaugesOf } from "./gauges.ts";
import { type Metric, prometheusText, type Sample } from "./prometheus-text.ts";

/** A gauge that takes longer is left out of this answer. */
const deadlineMs = 2000;

export const expositionType = "text/plain; version=0.0.4; charset=utf-8";

/** All that a node counts, in Prometheus' text format. Names no key, owner or address. */
export async function exposition(broker: ServiceBroker, more: Metric[] = []): Promise<string> {
  const registered = broker.isMetricsEnabled() ? (broker.metrics.store.values() as Iterable<Metric>) : [];
  return prometheusText([...registered, ...more, ...(await readGauges(broker)), ...ofProcess()]);
}

async function readGauges(broker: ServiceBroker): Promise<Metric[]> {
  const gauges = [...gaugesOf(broker)];
  const samples = await Promise.all(gauges.map(gauge => samplesOf(gauge, broker)));
  const byName = new Map<string, Metric>();
  for (const [at, { name, description }] of gauges.entries()) {
    const before = byName.get(name)?.snapshot() ?? [];
    const all = [...before, ...(samples[at] ?? [])];
    byName.set(name, { name, type: "gauge", description, snapshot: () => all });
  }
  return [...byName.values()];
}

async function samplesOf({ name, read }: Gauge, broker: ServiceBroker): Promise<Sample[]> {
  const late = Promise.withResolvers<Sample[]>();
  const timer = setTimeout(() => late.resolve([]), deadlineMs);
  try {
    return await Promise.race([read(), late.promise]);
  } catch (error) {
    broker.logger.warn("metrics.unreadable", { gauge: name, error });
    return [];
  } finally {
    clearTimeout(timer);
  }
}

function ofProcess(): Metric[] {
  const { user, system } = process.cpuUsage();
  const memory = process.memoryUsage.rss();
  return [
    one("process_cpu_seconds_total", "counter", "CPU time of this process", (user + system) / 1e6),
    one("process_resident_memory_bytes", "gauge", "Resident memory of this process", memory),
  ];
}

function one(name: string, type: string, description: string, value: number): Metric {
  return { name, type, description, snapshot: () => [{ value }] };
}
