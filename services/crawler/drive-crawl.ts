import { once } from "node:events";
import type { Claim } from "../../mixins/frontier/frontier.ts";
import type { JobTools } from "../../mixins/queue/queue.ts";
import { codeOf } from "../contracts/errors.ts";
import { announceOwed } from "./announce.ts";
import { begin, type Drive, openDrive } from "./drive.ts";
import { endCrawl } from "./end-crawl.ts";
import { endCopy } from "./end-page.ts";
import { endless, failEntry, offerEntry } from "./entry.ts";
import { awaitOriginal, heldCopy } from "./hold-copy.ts";
import { judgeFault } from "./judge-fault.ts";
import { readPage } from "./read-page.ts";
import { boundsOf, type CrawlerRoom, lastFence } from "./room.ts";
import { seedCrawl } from "./seed-crawl.ts";
import { settlePage } from "./settle-page.ts";

const progressEveryMs = 1000;
const longestSleepMs = 10_000;
/** While something waits that the limit may not let begin. */
const shortSleepMs = 1000;

/**
 * Drives a crawl to its end, from wherever its last driver left it. All that it knows is on disk: the crawl's record,
 * and its pages in the frontier, every step of which is refused once another driver has the crawl.
 */
export async function driveCrawl(room: CrawlerRoom, crawlId: string, tools: JobTools): Promise<null> {
  const crawl = await room.crawls.findById(crawlId);
  if (crawl?.status !== "crawling") return null;
  const fence = crawl.cancelled ? lastFence : tools.fence;
  try {
    const counts = await room.frontier.open(crawlId, fence, boundsOf(crawl));
    const drive = openDrive(room, crawl, tools, counts);
    if (!crawl.cancelled && !crawl.failing) await crawlOn(drive);
    await endCrawl(room, drive.crawl, fence);
  } catch (error) {
    if (room.closing.aborted) await aborted(tools.signal);
    tools.signal.throwIfAborted();
    // Somebody else has the crawl, or has ended it.
    if (codeOf(error) !== "conflict") throw await judgeFault(room, crawlId, error);
  }
  return null;
}

/** Until no page is left to take. At the first fault all that is under way is given up. */
async function crawlOn(drive: Drive): Promise<void> {
  const { room, beginning, bell, underWay } = drive;
  const wake = () => bell.ring();
  beginning.addEventListener("abort", wake);
  try {
    await announceOwed(room, drive.crawl);
    if (!drive.crawl.entry) await offerEntry(drive);
    await takePages(drive);
    if (!drive.crawl.entry && !drive.crawl.failing) await failEntry(drive, endless);
    // Sitemaps may still be read when the limit is reached.
    drive.stopping.abort();
  } finally {
    beginning.removeEventListener("abort", wake);
    await Promise.allSettled(underWay);
  }
}

async function takePages(drive: Drive): Promise<void> {
  const { room, crawl, fence, beginning, bell, underWay } = drive;
  for (;;) {
    beginning.throwIfAborted();
    if (drive.crawl.entry && !drive.isSeeded) begin(drive, () => seedCrawl(drive));
    const places = room.concurrency - underWay.size;
    // Twice as many as may be read at a time, so that one step takes several.
    const count = places < 0 ? 0 : places + room.concurrency;
    const claims = count > 0 ? await room.frontier.take(crawl._id, fence, count, room.now()) : [];
    for (const claim of claims) begin(drive, () => takePage(drive, claim));
    const sleepMs = await idleFor(drive);
    if (sleepMs !== null) await bell.heard(sleepMs);
    else if (!(await keepCopy(drive))) return;
  }
}

async function takePage(drive: Drive, claim: Claim): Promise<void> {
  const { places, beginning, room, tools } = drive;
  const copy = drive.isResumed ? await heldCopy(drive, claim) : null;
  if (copy) return await awaitOriginal(drive, copy);
  const reading = await places.run("", beginning, () => readPage(claim, drive));
  await settlePage(drive, claim, reading);
  if (room.now() - drive.toldAt < progressEveryMs) return;
  drive.toldAt = room.now();
  await tools.progress(drive.counts);
}

/** Once nothing can begin any more, copies are kept whose original does not come; false when there are none. */
async function keepCopy(drive: Drive): Promise<boolean> {
  const copy = drive.copies.releaseOne();
  if (copy) await endCopy(drive, copy, false);
  return copy !== undefined;
}

/** How long there is nothing to begin, at most; null when nothing is left but copies. */
async function idleFor({ room, crawl, counts, copies, underWay }: Drive): Promise<number | null> {
  const isFull = counts.completed + counts.failed + copies.size >= crawl.request.crawler.limit;
  const dueAt = isFull ? null : await room.frontier.nextDue(crawl._id);
  if (underWay.size === 0 && dueAt === null) return null;
  if (dueAt === null || underWay.size >= room.concurrency) return longestSleepMs;
  const sleepMs = Math.min(Math.max(dueAt - room.now(), 0), longestSleepMs);
  return underWay.size > 0 ? Math.max(sleepMs, shortSleepMs) : sleepMs;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
