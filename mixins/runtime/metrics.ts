import type { ServiceBroker } from "moleculer";
import { within } from "../async/timeout.ts";
import { logEvent } from "../log/log-events.ts";
import { countedBy } from "./counters.ts";
import { type Metric, prometheusText, type Sample } from "./prometheus-text.ts";

/** A gauge that takes longer is left out of this answer. */
const gaugeTimeoutMs = 2000;

export const expositionType = "text/plain; version=0.0.4; charset=utf-8";

/** All metrics of a node, in Prometheus' text format. They name no key, owner or address. */
export async function exposition(broker: ServiceBroker): Promise<string> {
  const own = ownMetrics.get(broker)?.() ?? [];
  return prometheusText([...own, ...countedBy(broker), ...(await readGauges(broker)), ...processMetrics()]);
}

const ownMetrics = new WeakMap<ServiceBroker, () => Metric[]>();

/** Adds what the gateway of a node counts itself to the metrics of that node. */
export function addOwnMetrics(broker: ServiceBroker, metrics: () => Metric[]): void {
  ownMetrics.set(broker, metrics);
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
  try {
    return await within(gaugeTimeoutMs, Promise.resolve(read()), () => []);
  } catch (error) {
    logEvent(broker.logger, "gauge_read.failed", { gauge: name, error });
    return [];
  }
}

function processMetrics(): Metric[] {
  const { user, system } = process.cpuUsage();
  const memory = process.memoryUsage.rss();
  return [
    metricOf("process_cpu_seconds_total", "counter", "CPU time of this process", (user + system) / 1e6),
    metricOf("process_resident_memory_bytes", "gauge", "Resident memory of this process", memory),
  ];
}

function metricOf(name: string, type: Metric["type"], description: string, value: number): Metric {
  return { name, type, description, snapshot: () => [{ value }] };
}

/** A number that is read when the metrics are asked for. */
export interface Gauge {
  /** The name of the metric in Prometheus. Several services may give samples of one gauge. */
  name: string;
  description: string;
  read(): Promise<Sample[]> | Sample[];
}

const gaugesByBroker = new WeakMap<ServiceBroker, Set<Gauge>>();

/** Adds a gauge to those of a node. Returns the function that removes it. */
export function addGauge(broker: ServiceBroker, gauge: Gauge): () => void {
  const gauges = gaugesOf(broker);
  gaugesByBroker.set(broker, gauges.add(gauge));
  return () => void gauges.delete(gauge);
}

export function gaugesOf(broker: ServiceBroker): Set<Gauge> {
  return gaugesByBroker.get(broker) ?? new Set();
}
