import { setTimeout as delay } from "node:timers/promises";
import type { CrawlStatus } from "../../contracts/crawler.contract.ts";
import type { ScrapeData } from "../../contracts/scraper.contract.ts";
import { ask, type Server } from "./client.ts";

const pollEveryMs = 500;

/** What is done with what comes. */
export interface Follower {
  onPage(page: ScrapeData): Promise<void>;
  onProgress(crawl: CrawlStatus): void;
}

/** Reads a crawl's pages as they come, to the last; gives how it ended. */
export async function followCrawl(server: Server, id: string, follower: Follower): Promise<CrawlStatus> {
  for (let cursor = ""; ; ) {
    const crawl = await ask<CrawlStatus>(server, "GET", `/web/crawl/${id}?limit=100${cursor}`);
    for (const page of crawl.data) if (!("error" in page)) await follower.onPage(page);
    follower.onProgress(crawl);
    if (crawl.next_cursor === null) return crawl;
    if (crawl.data.length === 0) await delay(pollEveryMs);
    cursor = `&cursor=${crawl.next_cursor}`;
  }
}
