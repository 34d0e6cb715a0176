import type { ServiceBroker } from "moleculer";
import type { Sample } from "./prometheus-text.ts";

/** A figure that is read when somebody asks for it, rather than kept up. */
export interface Gauge {
  /** As Prometheus names it. Several rooms may give samples of one gauge. */
  name: string;
  description: string;
  read(): Promise<Sample[]> | Sample[];
}

const given = new WeakMap<ServiceBroker, Set<Gauge>>();

/** Adds a gauge to those of a node; the function takes it away again. */
export function addGauge(broker: ServiceBroker, gauge: Gauge): () => void {
  const gauges = gaugesOf(broker);
  given.set(broker, gauges.add(gauge));
  return () => void gauges.delete(gauge);
}

export function gaugesOf(broker: ServiceBroker): Set<Gauge> {
  return given.get(broker) ?? new Set();
}
