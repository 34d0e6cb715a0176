import type { ScrapeData, ScrapeJob } from "../../contracts/scraper.contract.ts";
import { resultId } from "./end-scrape.ts";
import type { JobsRoom, StoredScrape } from "./room.ts";

/** A scrape as its owner sees it. */
export async function describeScrape({ results }: JobsRoom, scrape: StoredScrape): Promise<ScrapeJob> {
  if (scrape.status !== "completed") return jobOf(scrape);
  return jobOf(scrape, (await results.findById(resultId(scrape._id, scrape.fence)))?.data);
}

/** The same, with a result that is at hand. */
export function jobOf(scrape: StoredScrape, data?: ScrapeData): ScrapeJob {
  const { _id, status, url, error, startedAt, endedAt } = scrape;
  return {
    scrape_id: _id,
    version: "v1",
    status,
    url,
    ...(data && { data }),
    ...(error && { error }),
    ...(startedAt !== undefined && { started_at: startedAt }),
    ...(endedAt !== undefined && { ended_at: endedAt }),
  };
}
