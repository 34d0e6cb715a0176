import { fail } from "../../contracts/errors.ts";
import type { ScrapeJob } from "../../contracts/scraper.contract.ts";
import { describeScrape } from "./describe-scrape.ts";
import type { JobsRoom, StoredScrape } from "./room.ts";

/** How a scrape stands. */
export async function scrapeStatus(jobs: JobsRoom, owner: string, id: string): Promise<ScrapeJob> {
  return await describeScrape(jobs, await ownScrape(jobs, owner, id));
}

/** The record of an owner's scrape. 404 for what is unknown or another owner's, 410 once it has expired. */
export async function ownScrape(jobs: JobsRoom, owner: string, id: string): Promise<StoredScrape> {
  const scrape = await jobs.scrapes.findById(id);
  if (scrape?.owner !== owner) throw fail("not_found", "There is no scrape with this scrape_id.");
  if (scrape.expiresAt !== undefined && scrape.expiresAt <= jobs.now())
    throw fail("expired", "The result of this scrape has expired: it is kept for 24 hours. Scrape again.");
  return scrape;
}
