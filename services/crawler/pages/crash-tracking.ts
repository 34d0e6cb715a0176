import { createHash } from "node:crypto";
import { FairSemaphore } from "../../../mixins/async/fair-semaphore.ts";
import type { Claim } from "../../../mixins/frontier/frontier.ts";
import { underSuspicion } from "../../../mixins/runtime/crash-suspects.ts";
import type { CrawlerContext } from "../context.ts";
import type { CrawlRun } from "../crawl-run.ts";
import type { StoredCrawl } from "../crawls.store.ts";
import { givenUp } from "./page-errors.ts";
import { type Reading, readPage } from "./read-page.ts";

/** A page that has crashed so many processes is not read again. */
const maxCrashes = 2;

const crashed: Reading = { kind: "failed", error: givenUp };

/**
 * Reads a page and records it as the cause if this process crashes: by an unhandled error that names its work, and, for
 * a crawl that is suspect, by a mark on the one page that is being read.
 */
export async function readPageTracked(run: CrawlRun, claim: Claim): Promise<Reading> {
  const { context, crawl, tools } = run;
  if (crashesOf(crawl, claim.key) >= maxCrashes) return crashed;
  const blame = async (isNamed: boolean) => {
    if (isNamed) await countCrashes(context, crawl._id, claim.key, 1);
  };
  const isMarked = tools.isSuspect && run.leftovers > 0;
  if (isMarked) await context.crawls.update(crawl._id, { $set: { reading: claim.key } });
  const reading = await underSuspicion({ blame }, () => readPage(claim, run));
  if (isMarked) await context.crawls.update(crawl._id, { $unset: { reading: true } });
  return reading;
}

/** Once a suspect crawl is past the pages that may have crashed its last run, it reads as many at a time as others. */
export function countLeftover(run: CrawlRun): void {
  if (run.leftovers === 0) return;
  run.leftovers -= 1;
  if (run.leftovers === 0 && run.tools.isSuspect)
    run.pageSlots = new FairSemaphore({ width: run.context.concurrency });
}

/** Blames the crash of a run on the page that it was reading alone; false when there is none. */
export async function blameMarkedPage(context: CrawlerContext, crawlId: string): Promise<boolean> {
  const { reading } = (await context.crawls.findById(crawlId)) ?? {};
  if (reading === undefined) return false;
  await countCrashes(context, crawlId, reading, maxCrashes);
  await context.crawls.update(crawlId, { $unset: { reading: true } });
  return true;
}

async function countCrashes(
  { crawls }: CrawlerContext,
  crawlId: string,
  key: string,
  crashes: number,
): Promise<void> {
  await crawls.update(crawlId, { $inc: { [`accused.${nameOf(key)}`]: crashes } });
}

function crashesOf({ accused = {} }: StoredCrawl, key: string): number {
  return accused[nameOf(key)] ?? 0;
}

/** A page's key in a form that can name a field: URLs have dots. */
function nameOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}
