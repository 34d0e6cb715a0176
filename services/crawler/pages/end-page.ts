import type { Candidate, Claim } from "../../../mixins/frontier/frontier.ts";
import type { CrawlRun } from "../crawl-run.ts";
import { awaitOriginal, endDuplicatesOf } from "./end-duplicate.ts";
import { failEntry, setEntry } from "./entry-page.ts";
import type { Ended, Held, PageOutcome } from "./page-outcome.ts";
import { isInResults, writePage } from "./page-record.ts";

/** Writes what became of a page. The process may die between any two writes; then another run reads the page again. */
export async function endPage(run: CrawlRun, claim: Claim, outcome: PageOutcome): Promise<void> {
  const { context, crawl, fence } = run;
  switch (outcome.kind) {
    case "postponed": {
      const until = context.now() + outcome.forMs;
      return await context.frontier.postpone(crawl._id, fence, claim.key, until, outcome.isTry);
    }
    case "refused":
      return await stopForQuota(run);
    case "held":
      return await hold(run, claim, outcome);
    case "ended":
      return await end(run, claim, outcome);
  }
}

/** Stores that a quota is used up: no page begins after that, and the crawl ends with what it has. */
async function stopForQuota(run: CrawlRun): Promise<void> {
  const { context, crawl } = run;
  // A process that was paused must not end a crawl that another run continues.
  await run.confirmOwnership();
  await context.crawls.update(crawl._id, { $set: { overQuota: true } });
  run.crawl = { ...run.crawl, overQuota: true };
}

/**
 * Holds a duplicate until the page that it names as canonical has ended. The duplicate counts towards the limit, so its
 * content is not lost. Its links are added before its record is written, so it need not be read again.
 */
async function hold(
  run: CrawlRun,
  { key }: Claim,
  { content, original, aliases, links }: Held,
): Promise<void> {
  const { context, crawl, fence, offered } = run;
  const unknown = offered.unknown([original, ...links]);
  await context.frontier.offer(crawl._id, fence, await offerMany(run, unknown));
  offered.keep(unknown);
  await writePage(run, key, { ...content, original: original.key });
  await awaitOriginal(run, { key, original: original.key, aliases });
}

/**
 * Ends a page. What the crawl learns from it comes first, since the scope of its links follows from the entry page; then
 * its record: a page that has ended has its data. Its end and the last of its links are one step, and its duplicates end
 * after it.
 */
async function end(
  run: CrawlRun,
  { key }: Claim,
  { entry, failing, content, end: outcome, links }: Ended,
): Promise<void> {
  const { context, crawl, fence, offered } = run;
  if (entry) await setEntry(run, entry);
  if (failing) await failEntry(run, failing);
  if (content) await writePage(run, key, content);
  const unknown = offered.unknown(links);
  const last = await offerMany(run, unknown);
  run.counts = await context.frontier.settle(crawl._id, fence, key, outcome, last);
  offered.keep(unknown);
  context.onPage(outcome.state);
  await endDuplicatesOf(run, key, content !== undefined && isInResults(content));
}

/** Pages that are added in one step: the frontier does nothing else meanwhile. */
const slice = 500;

/** Adds some candidates a slice at a time. Returns the last slice, which belongs to the next step. */
async function offerMany({ context, crawl, fence }: CrawlRun, candidates: Candidate[]): Promise<Candidate[]> {
  let at = 0;
  for (; at + slice < candidates.length; at += slice)
    await context.frontier.offer(crawl._id, fence, candidates.slice(at, at + slice));
  return candidates.slice(at);
}
