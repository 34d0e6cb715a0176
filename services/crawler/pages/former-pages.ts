import type { CrawlRun } from "../crawl-run.ts";
import { formerCrawl } from "./read-page.ts";

/** Parts of the past of a tag that are looked at, those that were read last first: 50,000 readings. */
const mostParts = 100;

/**
 * Adds the pages that former crawls from the same entry page have read, when the crawl has found all that it can find by
 * itself, and is to say what has changed: what nothing leads to any more may still be there, or may be gone. Answers whether
 * there are any that the crawl did not know.
 */
export async function offerFormerPages(run: CrawlRun): Promise<boolean> {
  const { context, crawl, fence, rules, stopSignal } = run;
  const { entry, formerRead, failing, overQuota, request } = crawl;
  if (!entry || !rules || formerRead || failing || overQuota) return false;
  if (!request.output.formats.includes("changes")) return false;
  let added = 0;
  let before: string | null = null;
  for (let part = 0; part < mostParts && (part === 0 || before !== null); part++) {
    stopSignal.throwIfAborted();
    const former: { urls: string[]; before: string | null } = await context.formerPages(
      crawl,
      request.url,
      before,
    );
    const pages = await rules.listed(former.urls, stopSignal);
    const offered = pages.map(page => ({ ...page, from: formerCrawl }));
    if (offered.length > 0) added += await context.frontier.offer(crawl._id, fence, offered);
    before = former.before;
  }
  await context.crawls.update(crawl._id, { $set: { formerRead: true } });
  run.crawl = { ...run.crawl, formerRead: true };
  return added > 0;
}
