import { fail } from "../contracts/errors.ts";
import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import { refusalOf } from "../domain/crawl/content-policy.ts";
import { contentUsage, type UsageStatement } from "../domain/crawl/content-usage.ts";
import type { PageTools } from "./context.ts";
import type { Digest } from "./extract/digest.ts";
import type { FetchedPage } from "./fetch/fetch-page.ts";
import type { PageOrder } from "./page-request.ts";
import { usageStatements } from "./stated-usage.ts";

/** A page that was read, and what its site's files say of it. */
interface PageSaid {
  digest: Digest;
  finalUrl: string;
  stated?: UsageStatement[];
}

/**
 * Reads a page unless its site refuses what its content is wanted for. What the site's files and the answer say is known
 * before the page is read, and what the page says is known before anything of it is returned or kept. Throws
 * `content_refused`.
 */
export async function obeying<Page extends PageSaid, Other extends object>(
  request: ScrapeRequest,
  fetched: FetchedPage,
  order: PageOrder,
  tools: PageTools,
  read: () => Promise<Page | Other>,
): Promise<Page | Other> {
  const wanted = request.request.content_uses ?? [];
  if (wanted.length === 0) return await read();
  await refuseStated(request, fetched, order, tools);
  const page = await read();
  if (!("digest" in page)) return page;
  const stated = await statedOn(page.finalUrl, request, order, tools);
  const { robots, tdm } = page.digest.metadata;
  refuse([...stated, ...usageStatements(fetched.headers, robots, tdm)], request);
  return { ...page, stated };
}

/** Throws where the site's files, or the headers of an answer, refuse what its content is wanted for. */
export async function refuseStated(
  request: ScrapeRequest,
  { finalUrl, headers }: Pick<FetchedPage, "finalUrl" | "headers">,
  order: PageOrder,
  tools: PageTools,
): Promise<void> {
  if (!request.request.content_uses) return;
  const stated = await statedOn(finalUrl, request, order, tools);
  refuse([...stated, ...usageStatements(headers, null)], request);
}

function statedOn(
  url: string,
  { request }: ScrapeRequest,
  { signal }: PageOrder,
  { statements }: PageTools,
): Promise<UsageStatement[]> {
  return statements.about(url, { skipTlsVerification: request.skip_tls_verification, signal });
}

function refuse(statements: UsageStatement[], { request }: ScrapeRequest): void {
  const refusal = refusalOf(contentUsage(statements), request.content_uses ?? []);
  if (refusal !== null) throw fail("content_refused", refusal);
}
