import { cpuTicks } from "./machine.ts";

/** Part of the CPU's time. What is measured while the machine's host takes more tells of the host. */
const mostStolen = 0.05;
const mostRuns = 3;

export interface Measured<Value> {
  value: Value;
  /** Part of the CPU's time that the host gave to others meanwhile. */
  stolen: number;
  /** Those that the host disturbed, and this one. */
  runs: number;
}

/** Measures, and again where the host took too much meanwhile, up to three times; the run that was disturbed least counts. */
export async function undisturbed<Value>(measure: () => Promise<Value>): Promise<Measured<Value>> {
  let best: Measured<Value> | undefined;
  for (let runs = 1; ; runs += 1) {
    const before = cpuTicks();
    const value = await measure();
    const after = cpuTicks();
    const stolen = (after.stolen - before.stolen) / (after.all - before.all);
    best = { ...(best === undefined || stolen < best.stolen ? { value, stolen } : best), runs };
    if (stolen <= mostStolen || runs === mostRuns) return best;
  }
}

/** For the line of a bench. */
export function disturbance(measured: Measured<unknown>[]): string {
  const most = Math.max(...measured.map(({ stolen }) => stolen));
  const again = measured.reduce((sum, { runs }) => sum + runs - 1, 0);
  return `measured while the machine's host took at most ${(100 * most).toFixed(0)} % of the CPU, ${again} runs left out`;
}
