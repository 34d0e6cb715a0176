import { findPage } from "../../../mixins/store/pages.ts";
import { fail } from "../../contracts/errors.ts";
import type { ScrapeSummary, ScrapesRequest } from "../../contracts/job-lists.contract.ts";
import type { ScrapeData } from "../../contracts/page.contract.ts";
import type { ListPage } from "../../contracts/paging.ts";
import type { ScrapeJob } from "../../contracts/scraper.contract.ts";
import type { ScraperContext } from "../context.ts";
import { resultId, type StoredScrape } from "../scrapes.store.ts";

/** The status of a scrape, with its result. */
export async function scrapeStatus(context: ScraperContext, owner: string, id: string): Promise<ScrapeJob> {
  return await describeScrape(context, await findScrape(context, owner, id));
}

/** The record of a scrape of an owner; null for any. Throws 404 if there is none, 410 once it has expired. */
export async function findScrape(
  context: ScraperContext,
  owner: string | null,
  id: string,
): Promise<StoredScrape> {
  const scrape = await context.scrapes.findById(id);
  if (!scrape || (owner !== null && scrape.owner !== owner))
    throw fail("not_found", "There is no scrape with this scrape_id.");
  if (scrape.expiresAt !== undefined && scrape.expiresAt <= context.now())
    throw fail("expired", "The result of this scrape has expired. Scrape again.");
  return scrape;
}

/** A scrape as its owner sees it. */
export async function describeScrape({ results }: ScraperContext, scrape: StoredScrape): Promise<ScrapeJob> {
  if (scrape.status !== "completed") return jobOf(scrape);
  return jobOf(scrape, (await results.findById(resultId(scrape._id, scrape.fence)))?.data);
}

/** The same, with a given result. */
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

/** The stored scrapes of a key, or of all. */
export async function listScrapes(
  { scrapes }: Pick<ScraperContext, "scrapes">,
  { key_id, status, ...wanted }: ScrapesRequest,
): Promise<ListPage<ScrapeSummary>> {
  const query = { ...(key_id !== undefined && { keyId: key_id }), ...(status && { status }) };
  const { page, next_cursor } = await findPage(scrapes, { ...wanted, query, descending: true });
  return { data: page.map(describe), next_cursor, message: "Scrapes listed." };
}

function describe(scrape: StoredScrape): ScrapeSummary {
  const { _id, keyId, url, status, statusCode, error, startedAt, endedAt, expiresAt } = scrape;
  return {
    scrape_id: _id,
    key_id: keyId,
    url,
    status,
    status_code: statusCode ?? null,
    ...(error && { error }),
    started_at: startedAt ?? null,
    ended_at: endedAt ?? null,
    expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
  };
}
