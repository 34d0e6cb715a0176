import type { Candidate, Outcome } from "../../mixins/frontier/frontier.ts";
import type { Copy } from "./copies.ts";
import type { Drive } from "./drive.ts";
import { pageId } from "./room.ts";

/** What becomes of a page, and whether the results have its content then, be it as that of another page. */
export interface End extends Outcome {
  brings: boolean;
}

/** Ends a page with its links, in one step, and then its copies. */
export async function endPage(
  drive: Drive,
  key: string,
  { brings, ...outcome }: End,
  links: Candidate[] = [],
): Promise<void> {
  const { room, crawl, fence } = drive;
  drive.counts = await room.frontier.settle(crawl._id, fence, key, outcome, links);
  await endCopies(drive, key, brings);
}

/**
 * Ends a copy that waits no more: skipped when the results have its content, else kept. Its record says so once the
 * frontier has taken the step, and before its own copies learn it.
 */
export async function endCopy(drive: Drive, { key, aliases }: Copy, isThere: boolean): Promise<void> {
  const { room, crawl, fence } = drive;
  const outcome: Outcome = isThere
    ? { state: "skipped", reason: "duplicate" }
    : { state: "completed", aliases };
  drive.counts = await room.frontier.settle(crawl._id, fence, key, outcome, []);
  await room.pages.update(
    pageId(crawl._id, key),
    isThere
      ? { $set: { bytes: 0, isCopy: true }, $unset: { data: true, original: true } }
      : { $unset: { original: true } },
  );
  await endCopies(drive, key, true);
}

async function endCopies(drive: Drive, original: string, isThere: boolean): Promise<void> {
  for (const copy of drive.copies.release(original)) await endCopy(drive, copy, isThere);
}
