import { FinalFailure } from "../../mixins/queue/queue.ts";
import { codeOf } from "../contracts/errors.ts";
import type { CrawlerRoom } from "./room.ts";

/** Faults of our own after which a crawl is not driven again. */
const faultsForgiven = 4;

/**
 * What a run of the queue ends with: the fault itself, for another run, or a final one. A server that is away is waited
 * for, however long that takes; a fault of our own would only come again.
 */
export async function judgeFault(
  { crawls }: Pick<CrawlerRoom, "crawls">,
  crawlId: string,
  fault: unknown,
): Promise<unknown> {
  if (codeOf(fault) === "overloaded") return fault;
  const { faults = 0 } = (await crawls.update(crawlId, { $inc: { faults: 1 } })) ?? {};
  if (faults <= faultsForgiven) return fault;
  return new FinalFailure("internal_error", "The crawl broke off again and again.", { cause: fault });
}
