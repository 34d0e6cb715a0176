import type { Middleware, ServiceBroker } from "moleculer";
import { within } from "../async/timeout.ts";
import { activityOf } from "./activity.ts";

/** A gauge that takes longer is left out of this answer. */
const gaugeTimeoutMs = 2000;

export const expositionType = "text/plain; version=0.0.4; charset=utf-8";

/** All metrics of a node, in Prometheus' text format. They name no key, owner or address. */
export async function exposition(broker: ServiceBroker, more: Metric[] = []): Promise<string> {
  const registered = broker.isMetricsEnabled() ? (broker.metrics.store.values() as Iterable<Metric>) : [];
  const counted = activityOf(broker)
    .totals()
    .map(({ name, description, value }) => metricOf(name, "counter", description, value));
  return prometheusText([
    ...registered,
    ...more,
    ...counted,
    ...(await readGauges(broker)),
    ...processMetrics(),
  ]);
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
    broker.logger.warn("metrics.unreadable", { gauge: name, error });
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

function metricOf(name: string, type: string, description: string, value: number): Metric {
  return { name, type, description, snapshot: () => [{ value }] };
}

/** A number that is read when the metrics are asked for. */
export interface Gauge {
  /** As Prometheus names it. Several services may give samples of one gauge. */
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

/** In place of Moleculer's own metrics of the same names. */
const callMetrics = [
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
 * Replaces Moleculer's metrics of calls by leaner ones of the same names: its own keep quantiles and rates with four
 * labels each, which cost about as much as a call within the process.
 */
export const leanMetrics: Middleware = {
  name: "LeanMetrics",
  async starting(broker: ServiceBroker) {
    if (!broker.isMetricsEnabled()) return;
    // Moleculer declares an overload for each kind, and none for their union.
    for (const metric of callMetrics) broker.metrics.register(metric as never);
  },
};

/** A metric of Moleculer's registry, as far as it is exported. */
export interface Metric {
  name: string;
  type: string;
  description?: string;
  snapshot(): Sample[];
}

export interface Sample {
  labels?: Record<string, unknown>;
  value?: unknown;
  count?: number;
  sum?: number;
  /** Upper bound -> observations up to it; as pairs where the order matters. */
  buckets?: Record<string, number> | (readonly [bound: number, count: number])[];
}

/**
 * Metrics in Prometheus' text format 0.0.4. Moleculer's own reporter opens a port of its own and does not escape
 * labels. Metrics without a number (`info`) are left out: they hold command lines and addresses.
 */
export function prometheusText(metrics: Iterable<Metric>): string {
  const lines: string[] = [];
  for (const metric of metrics) {
    const type = metric.type === "histogram" ? histogramType(metric) : metric.type;
    if (type !== "counter" && type !== "gauge" && type !== "histogram") continue;
    const samples = metric.snapshot().flatMap(sample => sampleLines(nameOf(metric), type, sample));
    if (samples.length === 0) continue;
    lines.push(`# HELP ${nameOf(metric)} ${escapeHelp(metric.description ?? metric.name)}`);
    lines.push(`# TYPE ${nameOf(metric)} ${type}`, ...samples);
  }
  return `${lines.join("\n")}\n`;
}

/** A histogram that has no buckets yet says nothing. */
function histogramType(metric: Metric): string {
  return metric.snapshot().some(sample => sample.buckets) ? "histogram" : "none";
}

function nameOf({ name }: Metric): string {
  return name.replace(/[^a-zA-Z0-9_:]/g, "_");
}

function sampleLines(name: string, type: string, sample: Sample): string[] {
  if (type !== "histogram") return numberLine(name, sample.labels, sample.value);
  const finite = Array.isArray(sample.buckets) ? sample.buckets : Object.entries(sample.buckets ?? {});
  const buckets = [...finite, ["+Inf", sample.count] as const];
  return [
    ...buckets.flatMap(([le, count]) => numberLine(`${name}_bucket`, { ...sample.labels, le }, count)),
    ...numberLine(`${name}_sum`, sample.labels, sample.sum),
    ...numberLine(`${name}_count`, sample.labels, sample.count),
  ];
}

function numberLine(name: string, labels: Record<string, unknown> | undefined, value: unknown): string[] {
  return typeof value === "number" ? [`${name}${labelText(labels)} ${value}`] : [];
}

function labelText(labels: Record<string, unknown> = {}): string {
  const pairs = Object.entries(labels).filter(([, value]) => value !== undefined && value !== null);
  if (pairs.length === 0) return "";
  return `{${pairs.map(([name, value]) => `${name.replace(/\W/g, "_")}="${escapeLabel(String(value))}"`).join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, char => (char === "\n" ? "\\n" : `\\${char}`));
}

function escapeHelp(text: string): string {
  return text.replace(/\\/g, "\\\\").replace(/\n/g, "\\n");
}
