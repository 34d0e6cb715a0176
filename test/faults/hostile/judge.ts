import { errorStatus } from "../../../services/contracts/errors.ts";
import type { End } from "./client.ts";
import type { NeighbourScrape } from "./neighbours.ts";
import type { Memory } from "./processes.ts";

/** What came of a hostile page. */
export interface Visit extends End {
  page: string;
  /** How often the service died while it was open. */
  deaths: number;
  /** How long it took the service to be ready after it; undefined when it was not within the time. */
  readyMs: number | undefined;
}

/** All that was seen of a run. */
export interface Observed {
  visits: Visit[];
  neighbours: NeighbourScrape[];
  before: Memory;
  after: Memory;
  canaryHits: string[];
  leakedFiles: string[];
  processesLeft: number[];
}

/** Memory may settle at so many times of what it was. */
export const mostGrowth = 1.5;

/** One sentence for each thing that should not be. */
export function judge(run: Observed): string[] {
  const { before, after } = run;
  const grown = after.ownMb > mostGrowth * before.ownMb;
  return [
    ...run.visits.flatMap(faultsOf),
    ...faultsOfNeighbours(run.neighbours),
    ...run.canaryHits.map(hit => `the canary was reached: ${hit}`),
    ...run.leakedFiles.map(file => `a file was left: ${file}`),
    ...run.processesLeft.map(pid => `the process ${pid} was left`),
    ...(grown ? [`the service's memory was ${before.ownMb} MB and settled at ${after.ownMb} MB`] : []),
  ];
}

function faultsOf({ page, deaths, readyMs, status, code, ms }: Visit): string[] {
  const ended = status === "completed" || (status === "failed" && isClear(code));
  return [
    ...(deaths > 0 ? [`${page}: the service died ${deaths} times`] : []),
    ...(readyMs === undefined ? [`${page}: the service was not ready afterwards`] : []),
    ...(ended ? [] : [`${page}: its scrape is ${status} (${code ?? "no code"}) after ${seconds(ms)}`]),
  ];
}

/** What the client can act on: an inner error is none. */
function isClear(code: string | undefined): boolean {
  return code !== undefined && code !== "internal_error" && Object.hasOwn(errorStatus, code);
}

/** One sentence for those of a kind, beside the same page, that ended alike. */
function faultsOfNeighbours(scrapes: NeighbourScrape[]): string[] {
  const failed = scrapes.filter(({ status }) => status !== "completed");
  const alike = Map.groupBy(
    failed,
    ({ kind, beside = "none", status, code = "no code" }) =>
      `${kind} scrapes of other keys, beside ${beside}: ${status} (${code})`,
  );
  return [...alike].map(([what, those]) => {
    const slowest = Math.max(...those.map(({ ms }) => ms));
    return `${those.length} ${what}, the slowest after ${seconds(slowest)}`;
  });
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
