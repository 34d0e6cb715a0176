import { type PageVisit, pageOf } from "./page-visit.ts";
import type { Look, SiteMemory } from "./site-memory.ts";

type Looked = Pick<SiteMemory, "looked">;

/** When pages were read (ms): of each, and of all in order. */
interface ReadPages {
  byPage: Map<string, number>;
  times: number[];
}

/** Each line of a visit asks for the pages that were read since: what they ask is found once. */
const known = new WeakMap<readonly Look[], ReadPages>();

function readPages({ looked }: Looked): ReadPages {
  const former = known.get(looked);
  if (former) return former;
  const read = looked.filter(([, , found]) => found === "same" || found === "changed");
  const found: ReadPages = {
    byPage: new Map(read.map(([page, at]) => [page, at])),
    times: read.map(([, at]) => at).sort((a, b) => a - b),
  };
  known.set(looked, found);
  return found;
}

/** Pages that were read since a time (ms). */
export function readSince(memory: Looked, since: number): number {
  const { times } = readPages(memory);
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < since) low = middle + 1;
    else high = middle;
  }
  return times.length - low;
}

/** Pages other than that of a visit that were read since a time (ms). */
export function othersReadSince(memory: Looked, visit: PageVisit, since: number): number {
  const own = readPages(memory).byPage.get(pageOf(visit));
  return readSince(memory, since) - (own !== undefined && own >= since ? 1 : 0);
}
