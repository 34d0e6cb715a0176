import { codeOf, fail } from "../contracts/errors.ts";
import type { ScrapeJob, ScrapeRequest } from "../contracts/scraper.contract.ts";
import { withoutNulls } from "../domain/request/without-nulls.ts";
import { acceptScrape } from "./jobs/accept-scrape.ts";
import type { JobsRoom, Visitor } from "./jobs/room.ts";
import { scrapeNow } from "./jobs/scrape-now.ts";
import { checkRequest } from "./parse-request.ts";

/** A scrape, admitted at the door: done within its timeout and answered, or accepted as a job. */
export async function scrape(given: ScrapeRequest, visitor: Visitor, jobs: JobsRoom): Promise<ScrapeJob> {
  const request = withoutNulls(given);
  admitUrl(request.url, jobs.tools);
  checkRequest(request);
  return request.mode === "async"
    ? await acceptScrape(jobs, request, visitor)
    : await scrapeNow(jobs, request, visitor);
}

/** The guard's refusal; that of a text which is no URL names the field, as every fault of a body does. */
function admitUrl(url: string, { egress }: JobsRoom["tools"]): void {
  try {
    egress.admit(url);
  } catch (error) {
    if (codeOf(error) !== "invalid_url") throw error;
    const { message } = error as Error;
    throw fail("invalid_url", message, { details: [{ field: "url", code: "invalid_url", message }] });
  }
}
