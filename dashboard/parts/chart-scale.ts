/* The scales of a chart: round numbers, and times that people name. */

export interface Scale {
  from: number;
  to: number;
  ticks: number[];
}

/** A scale of round numbers that contains all values; about `wanted` ticks. Equal values lie in its middle. */
export function scaleOf(values: readonly number[], wanted = 4): Scale {
  const lowest = Math.min(...values);
  const highest = Math.max(...values);
  if (!Number.isFinite(lowest) || !Number.isFinite(highest)) return { from: 0, to: 1, ticks: [0, 1] };
  const spread = highest - lowest || Math.abs(highest) || 1;
  const step = roundStep(spread / wanted);
  const isFlat = highest === lowest;
  const from = Math.floor(lowest / step - (isFlat ? 1 : 0)) * step;
  const to = Math.ceil(highest / step + (isFlat ? 1 : 0)) * step;
  const count = Math.round((to - from) / step);
  return { from, to, ticks: Array.from({ length: count + 1 }, (_, at) => exact(from + at * step)) };
}

/** The next of 1, 2, 2.5, 5 times a power of ten. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find(each => each * power >= rough * 0.999) ?? 10;
  return exact(factor * power);
}

/** Without the last digits of a binary fraction. */
function exact(value: number): number {
  return Number(value.toPrecision(12));
}

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const timeSteps = [
  ...[1, 5, 15, 30].map(each => each * minute),
  ...[1, 3, 6, 12].map(each => each * hour),
  ...[1, 2, 7, 14, 30, 91, 182, 365].map(each => each * day),
];

/** Times between two others at which a mark belongs: full hours, days or weeks of the reader's clock. */
export function timeTicks(from: number, to: number, wanted = 6): number[] {
  const step = timeSteps.find(each => (to - from) / each <= wanted) ?? 365 * day;
  const offset = new Date(from).getTimezoneOffset() * minute;
  const ticks: number[] = [];
  for (let at = Math.ceil((from - offset) / step) * step + offset; at <= to; at += step) ticks.push(at);
  return ticks;
}

/** How a time is written at an axis that is so long: the hour, the day, or the month. */
export function timeLabel(at: number, spanMs: number): string {
  const date = new Date(at);
  if (spanMs <= 2 * day) return date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  if (spanMs <= 300 * day) return date.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  return date.toLocaleDateString("en-GB", { month: "short", year: "numeric" });
}
