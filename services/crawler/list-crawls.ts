import { findPage } from "../../mixins/store/find-page.ts";
import type { CrawlStanding, Listed, Wanted } from "../contracts/inspection.contract.ts";
import { standing } from "./records.ts";
import type { CrawlerRoom, StoredCrawl } from "./room.ts";

/** The crawls of all keys that are kept. */
export async function listCrawls(room: CrawlerRoom, wanted: Wanted): Promise<Listed<CrawlStanding>> {
  const { page, next_cursor } = await findPage(room.crawls, { ...wanted, descending: true });
  const data = await Promise.all(page.map(crawl => describe(room, crawl)));
  return { data, next_cursor, message: "Crawls listed." };
}

async function describe({ frontier }: CrawlerRoom, crawl: StoredCrawl): Promise<CrawlStanding> {
  const counts = crawl.counts ?? (await frontier.counts(crawl._id));
  const { crawl_id, url, status, progress, started_at, ended_at } = standing(crawl, counts);
  return { crawl_id, key_id: crawl.keyId, url, status, progress, started_at, ended_at };
}
