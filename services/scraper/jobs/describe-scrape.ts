import type { ScrapeJob } from "../../contracts/scraper.contract.ts";
import { resultId } from "./end-scrape.ts";
import type { JobsRoom, StoredScrape } from "./room.ts";

/** A scrape as its owner sees it. */
export async function describeScrape({ results }: JobsRoom, scrape: StoredScrape): Promise<ScrapeJob> {
  const { _id, status, url, fence, error, startedAt, endedAt } = scrape;
  const result = status === "completed" ? await results.findById(resultId(_id, fence)) : null;
  return {
    scrape_id: _id,
    version: "v1",
    status,
    url,
    ...(result && { data: result.data }),
    ...(error && { error }),
    ...(startedAt !== undefined && { started_at: startedAt }),
    ...(endedAt !== undefined && { ended_at: endedAt }),
  };
}
