import type { Outcome } from "./compare.ts";

/** A cost of one thing, or of one step, at one size. If the work does not grow with the store, neither does this. */
export interface Cost {
  name: string;
  value: number;
  unit: string;
}

/** Costs at a tenth of the size and at the whole size. */
export interface Grown {
  tenth: Cost[];
  whole: Cost[];
}

/** From here on a growth is more than the depth of trees and caches that hold less of the whole. */
const conspicuous = 0.2;

/**
 * Lines with the cost at both sizes and the exponent between them: 0 when the cost does not depend on the size, 1 when it is
 * ten times as high at ten times the size; none for what is nothing at the smaller one.
 */
export function growthLines(title: string, { tenth, whole }: Grown): Outcome[] {
  const before = new Map(tenth.map(cost => [cost.name, cost.value]));
  return whole.map(({ name, value, unit }) => {
    const small = before.get(name) ?? Number.NaN;
    const exponent = growthExponent(small, value);
    const growth = Number.isFinite(exponent) ? `, n^${exponent.toFixed(2)}` : "";
    const mark = growth !== "" && exponent >= conspicuous ? ", GROWS" : "";
    return {
      line: `${title}: ${name.padEnd(56)} ${shown(small)} -> ${shown(value)} ${unit}${growth}${mark}`,
    };
  });
}

/** Between a size and ten times that size. */
export function growthExponent(tenth: number, whole: number): number {
  return Math.log10(whole / tenth);
}

/** The cost at a rank among all, such as .99. */
export function quantile(values: readonly number[], rank: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * rank))] ?? Number.NaN;
}

/** Median and 99th percentile of the time of a step, and the CPU time of this process for one, all in ms. */
export async function timedSteps(
  name: string,
  steps: number,
  step: (n: number) => Promise<unknown>,
): Promise<Cost[]> {
  const times: number[] = [];
  const cpu = process.cpuUsage();
  for (let n = 0; n < steps; n += 1) {
    const began = performance.now();
    await step(n);
    times.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(cpu);
  return [
    { name: `${name}, CPU`, value: (user + system) / 1000 / steps, unit: "ms" },
    { name: `${name}, median`, value: quantile(times, 0.5), unit: "ms" },
    { name: `${name}, p99`, value: quantile(times, 0.99), unit: "ms" },
  ];
}

function shown(value: number): string {
  return value.toPrecision(3).padStart(8);
}
