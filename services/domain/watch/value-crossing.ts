import type { ValueWhen } from "./view.ts";

/** What is remembered of a number. */
export interface KnownValue {
  /** At the last look that had one. */
  last: number;
  /** The one that was told last, or seen first. */
  told: number;
}

/** The memory after a look. A look without a number changes nothing. */
export function nextValue(
  known: KnownValue | undefined,
  value: number | null | undefined,
  isTold: boolean,
): KnownValue | undefined {
  if (value === null || value === undefined) return known;
  return { last: value, told: known === undefined || isTold ? value : known.told };
}

/** Whether a number has crossed a limit, once each time, or has moved far enough; and a sentence. */
export function crossing(
  known: KnownValue | undefined,
  value: number | null,
  { below, above, changed_by_percent: percent }: ValueWhen,
): { why: string; value?: { from: number; to: number } } {
  if (value === null) return { why: "No number is found for `when.value`." };
  if (known === undefined) return { why: `The number is ${value}, for the first time.` };
  const { last, told } = known;
  if (below !== undefined && value < below && last >= below)
    return {
      why: `The number fell from ${last} to ${value}, below ${below}.`,
      value: { from: last, to: value },
    };
  if (above !== undefined && value > above && last <= above)
    return {
      why: `The number rose from ${last} to ${value}, above ${above}.`,
      value: { from: last, to: value },
    };
  if (percent !== undefined && value !== told && Math.abs(value - told) * 100 >= percent * Math.abs(told))
    return {
      why: `The number went from ${told} to ${value}, by at least ${percent} %.`,
      value: { from: told, to: value },
    };
  return { why: `The number is ${value}: ${stateOf(value, last, { below, above, percent })}.` };
}

function stateOf(
  value: number,
  last: number,
  { below, above, percent }: { below?: number; above?: number; percent?: number },
): string {
  const states = [
    below !== undefined && (value < below ? `below ${below} already` : `not below ${below}`),
    above !== undefined && (value > above ? `above ${above} already` : `not above ${above}`),
    percent !== undefined && (value === last ? "as before" : `not changed by ${percent} %`),
  ];
  return states.filter(state => state !== false).join(", ");
}
