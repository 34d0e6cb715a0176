import { interleave, median, ratioOf } from "./compare.ts";
import { cpuSecondsOfTrees, megabytesOfTrees } from "./processes.ts";

/** A side of a bench as a user runs it: whole processes, in any language, with all that they start. */
export interface WholeSide {
  /** Processes whose trees are measured. What asks them for work is another process. */
  pids: number[];
  /** One round of work. */
  run(): Promise<Done>;
}

/** Units of work: pages, requests, events. */
export interface Done {
  units: number;
  perSecond: number;
}

export interface Cost {
  perSecond: number;
  /** Milliseconds of CPU a unit, user and system, of all threads and of children, ended ones included. */
  cpuMs: number;
  /** The most memory of the tree, in MB, that was seen. */
  peakMb: number;
}

const lookEveryMs = 1000;

/** Runs the sides in turn; the first round warms up. What each round of each side cost. */
export function costsOf<Name extends string>(
  rounds: number,
  sides: Record<Name, WholeSide>,
): Promise<Record<Name, Cost[]>> {
  const named = Object.entries<WholeSide>(sides).map(([name, side]) => [name, () => costOf(side)]);
  return interleave<Name, Cost>(rounds, Object.fromEntries(named));
}

/** What one round costs. */
export async function costOf({ pids, run }: WholeSide): Promise<Cost> {
  let peakMb = 0;
  const look = () => {
    peakMb = Math.max(peakMb, megabytesOfTrees(pids));
  };
  const timer = setInterval(look, lookEveryMs);
  try {
    const before = cpuSecondsOfTrees(pids);
    const { units, perSecond } = await run();
    const cpuMs = ((cpuSecondsOfTrees(pids) - before) * 1000) / units;
    look();
    return { perSecond, cpuMs, peakMb };
  } finally {
    clearInterval(timer);
  }
}

/** The median over the rounds of one side over the other. */
export function ratioOfCosts(ours: Cost[], theirs: Cost[], key: keyof Cost): number {
  return ratioOf(
    ours.map(each => each[key]),
    theirs.map(each => each[key]),
  );
}

/** The medians of a side, such as "81.2 pages/s, 11.3 ms of CPU a page, at most 340 MB". */
export function showCosts(costs: Cost[], unit: string): string {
  const of = (key: keyof Cost) => median(costs.map(each => each[key]));
  return `${digits(of("perSecond"))} ${unit}s/s, ${cpuText(of("cpuMs"))} of CPU a ${unit}, at most ${of("peakMb").toFixed(0)} MB`;
}

function cpuText(ms: number): string {
  return ms < 1 ? `${digits(1000 * ms)} µs` : `${digits(ms)} ms`;
}

/** Three digits that count. */
function digits(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}
