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
