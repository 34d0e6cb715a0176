/* The shapes and the descriptions of charts, as numbers and text. */
import { count } from "./time.ts";

export interface Series {
  name: string;
  values: number[];
}

export function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Makes the path of a line through the values. The highest value is at the top of the box, zero at the bottom. */
export function linePath(values: number[], width: number, height: number): string {
  const highest = Math.max(1, ...values);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  // The stroke of the highest point must not be cut.
  const y = (value: number) => round(height - 1 - (value / highest) * (height - 2));
  return values.map((value, at) => `${at === 0 ? "M" : "L"}${round(at * step)},${y(value)}`).join("");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Describes a chart of rates in a sentence or two. */
export function describeRate(title: string, values: number[], timeOf: (step: number) => string): string {
  const total = sum(values);
  if (total === 0) return `${title}: none in the last hour.`;
  const highest = Math.max(...values);
  const last = values.at(-1) ?? 0;
  const peak = `At most ${count(highest)} a minute, at ${timeOf(values.indexOf(highest))}.`;
  return `${title}: ${count(total)} in the last hour. ${peak} ${count(last)} in the last minute.`;
}

interface Bar {
  total: number;
  parts: { series: number; from: number; to: number }[];
}

/** Stacks the parts of each column in the order of the series, without empty parts. */
export function stack(series: Series[], columns: number): Bar[] {
  return Array.from({ length: columns }, (_, column) => {
    let total = 0;
    const parts = series.flatMap(({ values }, at) => {
      const from = total;
      total += values[column] ?? 0;
      return total > from ? [{ series: at, from, to: total }] : [];
    });
    return { total, parts };
  });
}

/** Finds the end of a scale: the next of 2, 4, 6, 8, 10, 20, 40, …, whose half is also a whole number. */
export function ceilingOf(highest: number): number {
  let power = 1;
  for (;;) {
    for (const step of [2, 4, 6, 8, 10]) if (step * power >= highest) return step * power;
    power *= 10;
  }
}
