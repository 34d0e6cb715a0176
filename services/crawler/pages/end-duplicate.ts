import type { Claim, Outcome } from "../../../mixins/frontier/frontier.ts";
import type { CrawlRun } from "../crawl-run.ts";
import { pageId } from "../crawls.store.ts";
import { aliasesOf } from "./page-outcome.ts";
import { isInResults } from "./page-record.ts";
import type { Duplicate } from "./waiting-duplicates.ts";

/** The duplicate that an earlier run has stored of a page; null for a page that has to be read. */
export async function heldDuplicate({ context, crawl }: CrawlRun, claim: Claim): Promise<Duplicate | null> {
  const { original, data } = (await context.pages.findById(pageId(crawl._id, claim.key))) ?? {};
  return original !== undefined && data
    ? { key: claim.key, original, aliases: aliasesOf(crawl, claim, data) }
    : null;
}

/** Ends a duplicate when its original has ended. Keeps the one that closes a ring of duplicates. */
export async function awaitOriginal(run: CrawlRun, duplicate: Duplicate): Promise<void> {
  if (!run.duplicates.add(duplicate)) return await endDuplicate(run, duplicate, false);
  // The original may have ended before this duplicate waited for it.
  const isThere = await isOriginalInResults(run, duplicate);
  if (isThere !== null && run.duplicates.remove(duplicate)) await endDuplicate(run, duplicate, isThere);
}

/** Whether the results have the original's content; null while that is open. */
async function isOriginalInResults(
  { context, crawl }: CrawlRun,
  { original }: Duplicate,
): Promise<boolean | null> {
  const found = await context.pages.findById(pageId(crawl._id, original));
  return !found || found.original !== undefined ? null : isInResults(found);
}

/**
 * Ends a duplicate that waited for its original: skipped when the results have its content, otherwise completed. Updates
 * its record after the frontier, and before the duplicates that wait for this one.
 */
export async function endDuplicate(
  run: CrawlRun,
  { key, aliases }: Duplicate,
  isThere: boolean,
): Promise<void> {
  const { context, crawl, fence } = run;
  const outcome: Outcome = isThere
    ? { state: "skipped", reason: "duplicate" }
    : { state: "completed", aliases };
  run.counts = await context.frontier.settle(crawl._id, fence, key, outcome, []);
  context.onPage(outcome.state);
  await context.pages.update(
    pageId(crawl._id, key),
    isThere
      ? { $set: { bytes: 0, isCopy: true }, $unset: { data: true, original: true } }
      : { $unset: { original: true } },
  );
  await endDuplicatesOf(run, key, true);
}

/** Ends the duplicates that wait for a page which has ended. */
export async function endDuplicatesOf(run: CrawlRun, original: string, isThere: boolean): Promise<void> {
  for (const duplicate of run.duplicates.release(original)) await endDuplicate(run, duplicate, isThere);
}
