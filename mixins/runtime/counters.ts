import type { ServiceBroker } from "moleculer";
import type { Metric, Sample } from "./prometheus-text.ts";

/** A label with all of its values: nothing from outside becomes one. */
type Label<Value extends string> = readonly [name: string, values: readonly Value[]];

interface Named {
  /** The name of the metric in Prometheus. */
  name: string;
  description: string;
}

export interface CounterOptions<First extends string, Second extends string> extends Named {
  by?: readonly [Label<First>] | readonly [Label<First>, Label<Second>];
}

interface Count {
  value: number;
}

/**
 * A number that only grows, with at most two labels. All of its series exist from the beginning, since Prometheus does not
 * see the first step of one that begins at 1. Counting allocates nothing.
 */
export class Counter<First extends string = string, Second extends string = string> implements Metric {
  readonly type = "counter";
  readonly name: string;
  readonly description: string;
  readonly #labels: string[];
  readonly #counts = new Map<string, Map<string, Count>>();
  /** The count of values that are not listed: a node of another version may send them. */
  readonly #other: Count = { value: 0 };

  constructor({ name, description, by }: CounterOptions<First, Second>) {
    this.name = name;
    this.description = description;
    const [first, second] = by ?? [];
    this.#labels = [first, second].flatMap(label => label?.[0] ?? []);
    for (const each of first?.[1] ?? [""])
      this.#counts.set(each, new Map((second?.[1] ?? [""]).map(other => [other, { value: 0 }])));
  }

  add(first: First | "" = "", second: Second | "" = "", count = 1): void {
    const known = this.#counts.get(first)?.get(second) ?? this.#other;
    known.value += count;
  }

  snapshot(): Sample[] {
    const listed = [...this.#counts].flatMap(([first, counts]) =>
      [...counts].map(([second, { value }]) => this.#sample([first, second], value)),
    );
    const other = this.#other.value;
    return other > 0 ? [...listed, this.#sample(["other", "other"], other)] : listed;
  }

  #sample(values: string[], value: number): Sample {
    return { labels: Object.fromEntries(this.#labels.map((label, at) => [label, values[at]])), value };
  }
}

/** How many values there were of each size. */
export class Distribution {
  readonly #bounds: readonly number[];
  /** Up to each bound and above the one before; the last has what is above all. */
  readonly #within: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#within = new Array(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let at = 0;
    while (at < this.#bounds.length && value > (this.#bounds[at] ?? 0)) at += 1;
    this.#within[at] = (this.#within[at] ?? 0) + 1;
    this.#sum += value;
  }

  sample(labels: Record<string, unknown> = {}): Sample {
    let count = 0;
    const totals = this.#within.map(each => {
      count += each;
      return count;
    });
    const buckets = this.#bounds.map((bound, at) => [bound, totals[at] ?? 0] as const);
    return { labels, count, sum: this.#sum, buckets };
  }
}

const byBroker = new WeakMap<ServiceBroker, Map<string, Metric>>();

/** The counter of this name of a node. Services of one process share it. */
export function counterOf<First extends string, Second extends string>(
  broker: ServiceBroker,
  options: CounterOptions<First, Second>,
): Counter<First, Second> {
  return shared(broker, options.name, () => new Counter(options));
}

/** The histogram of this name of a node. Services of one process share it. */
export function histogramOf(
  broker: ServiceBroker,
  { bounds, ...named }: Named & { bounds: readonly number[] },
): Pick<Distribution, "observe"> {
  return shared(broker, named.name, () => {
    const values = new Distribution(bounds);
    const observe = (value: number) => values.observe(value);
    return { ...named, type: "histogram", observe, snapshot: () => [values.sample()] };
  });
}

/** Adds a metric that counts by itself to those of a node. */
export function addMetric(broker: ServiceBroker, metric: Metric): void {
  shared(broker, metric.name, () => metric);
}

/** What the services of a node have counted. */
export function countedBy(broker: ServiceBroker): Metric[] {
  return [...(byBroker.get(broker)?.values() ?? [])];
}

function shared<Kind extends Metric>(broker: ServiceBroker, name: string, make: () => Kind): Kind {
  const metrics = byBroker.get(broker) ?? new Map<string, Metric>();
  byBroker.set(broker, metrics);
  const metric = metrics.get(name) ?? make();
  metrics.set(name, metric);
  return metric as Kind;
}
