import type { IncomingMessage, ServerResponse } from "node:http";

/** One attempt at a lane, in `performance.now()`. */
export interface Work {
  lane: number;
  /** The process id of the node that sent it. */
  node: number;
  began: number;
  /** Answered, or broken off; Infinity while neither. */
  ended: number;
}

/** Notes an attempt by its request, and its end when it comes. */
export function noteWork(
  works: Work[],
  lane: number,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const began = performance.now();
  const work = { lane, node: Number(request.headers["x-node"]), began, ended: Number.POSITIVE_INFINITY };
  works.push(work);
  for (const end of ["finish", "close"])
    response.once(end, () => {
      work.ended = Math.min(work.ended, performance.now());
    });
}

/**
 * Sentences on lanes that two nodes worked at once. An attempt of a node that is killed or stopped ends there: the node
 * makes nothing of it, and begins no other.
 */
export function overlaps(works: Work[], stoppedAt: (node: number) => number[]): string[] {
  const ended = works.map(work => ({ ...work, ended: endOf(work, stoppedAt(work.node)) }));
  return [...Map.groupBy(ended, ({ lane }) => lane).values()].flatMap(ofLane => {
    let last: Work | undefined;
    return ofLane
      .toSorted((a, b) => a.began - b.began)
      .flatMap(work => {
        const before = last;
        if (!last || work.ended >= last.ended) last = work;
        return before && before.node !== work.node && work.began < before.ended
          ? [sentence(before, work)]
          : [];
      });
  });
}

function endOf({ began, ended }: Work, stops: number[]): number {
  return Math.min(ended, ...stops.filter(at => at >= began));
}

function sentence(before: Work, work: Work): string {
  const ms = Math.round(Math.min(before.ended, work.ended) - work.began);
  return `lane ${work.lane}: node ${work.node} began ${ms} ms before node ${before.node} had ended`;
}
