import type { Counts } from "../../mixins/frontier/frontier.ts";
import type { JobTools } from "../../mixins/queue/queue.ts";
import { Bell } from "./bell.ts";
import { Copies } from "./copies.ts";
import { type CrawlRules, rulesOf } from "./crawl-rules.ts";
import { FairGate } from "./fair-gate.ts";
import { getFor } from "./get-document.ts";
import type { Visits } from "./read-page.ts";
import { type Get, RobotsBook } from "./robots-book.ts";
import type { CrawlerRoom, StoredCrawl } from "./room.ts";

/** A crawl as the one who drives it has it. */
export interface Drive extends Visits {
  fence: number;
  tools: JobTools;
  get: Get;
  /** For the pages of this crawl that are being read. */
  places: FairGate;
  /** As they were after the last step. */
  counts: Counts;
  /** An earlier drive has left pages. */
  isResumed: boolean;
  copies: Copies;
  /** When the queue was last told of progress, in Unix milliseconds. */
  toldAt: number;
  /** Its sitemaps are being read, or were. */
  isSeeded: boolean;
  rules: CrawlRules | undefined;
  bell: Bell;
  underWay: Set<Promise<void>>;
  /** Gives up what is under way. */
  stopping: AbortController;
}

export function openDrive(room: CrawlerRoom, crawl: StoredCrawl, tools: JobTools, counts: Counts): Drive {
  const stopping = new AbortController();
  const signal = AbortSignal.any([tools.signal, stopping.signal]);
  const beginning = AbortSignal.any([signal, room.closing]);
  const get = getFor(room, crawl, beginning);
  return {
    ...{ room, crawl, tools, fence: tools.fence, signal, beginning, stopping, get, counts },
    robots: new RobotsBook(get, beginning),
    confirm: async () => {
      await room.frontier.offer(crawl._id, tools.fence, []);
    },
    places: new FairGate(room.concurrency),
    isResumed: counts.discovered > 0,
    copies: new Copies(),
    toldAt: 0,
    isSeeded: crawl.sitemapsRead === true || !crawl.request.crawler.sitemaps,
    rules: crawl.entry && rulesOf(crawl, crawl.entry.url, room.egress),
    bell: new Bell(),
    underWay: new Set(),
  };
}

/** Begins a piece of work beside the others. Its fault is the crawl's, unless the room is about to stop. */
export function begin(drive: Drive, work: () => Promise<void>): void {
  const { room, signal, stopping, underWay, bell } = drive;
  const run = work()
    .catch(error => {
      if (signal.aborted || !room.closing.aborted) stopping.abort(error);
    })
    .finally(() => {
      underWay.delete(run);
      room.underWay.delete(run);
      bell.ring();
    });
  underWay.add(run);
  room.underWay.add(run);
}
