/** Its names are as Prometheus has them: snake_case, with the unit at the end, and `_total` behind it for a counter. */
export interface Metric {
  name: string;
  type: "counter" | "gauge" | "histogram";
  description: string;
  snapshot(): Sample[];
}

export interface Sample {
  labels?: Record<string, unknown>;
  value?: unknown;
  count?: number;
  sum?: number;
  /** Observations up to each bound, from the lowest. */
  buckets?: (readonly [bound: number, count: number])[];
}

/** Metrics in Prometheus' text format 0.0.4. One without samples is left out. */
export function prometheusText(metrics: Iterable<Metric>): string {
  const lines: string[] = [];
  for (const metric of metrics) {
    const { name, type, description } = metric;
    const samples = metric.snapshot().flatMap(sample => sampleLines(name, type, sample));
    if (samples.length === 0) continue;
    lines.push(`# HELP ${name} ${escapeHelp(description)}`, `# TYPE ${name} ${type}`, ...samples);
  }
  return `${lines.join("\n")}\n`;
}

function sampleLines(name: string, type: Metric["type"], sample: Sample): string[] {
  if (type !== "histogram") return numberLine(name, sample.labels, sample.value);
  const buckets = [...(sample.buckets ?? []), ["+Inf", sample.count] as const];
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
  return `{${pairs.map(([name, value]) => `${name}="${escapeLabel(String(value))}"`).join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, char => (char === "\n" ? "\\n" : `\\${char}`));
}

function escapeHelp(text: string): string {
  return text.replace(/\\/g, "\\\\").replace(/\n/g, "\\n");
}
