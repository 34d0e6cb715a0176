import type { BatchAccepted, BatchRequest } from "../../contracts/batch.contract.ts";
import type { Caller } from "../../contracts/caller.ts";
import type { CrawlRequest } from "../../contracts/crawler.contract.ts";
import { codeOf, invalid } from "../../contracts/errors.ts";
import { withUsesOf } from "../../domain/crawl/content-policy.ts";
import { checkPageOptions } from "../../domain/page-options/page-options.ts";
import { siteName } from "../../domain/url/same-site.ts";
import { acceptCrawl, type Outside } from "../accept-crawl.ts";
import type { CrawlerContext } from "../context.ts";
import { pageTimeoutMs } from "../pages/read-page.ts";
import { admitAt } from "../start-crawl.ts";
import { batchKey } from "./offer-urls.ts";

/** Accepts a batch: stored and queued when this resolves. */
export async function startBatch(
  context: CrawlerContext,
  caller: Caller,
  batch: BatchRequest,
  outside: Outside,
): Promise<BatchAccepted> {
  const { urls, refused } = check(context, batch);
  const request = withUsesOf(caller, requestFor(batch, urls));
  const wanted = { kind: "batch", urls, body: batch, request } as const;
  const { id, ...secret } = await acceptCrawl(context, caller, wanted, outside);
  const invalid_urls = batch.ignore_invalid_urls && { invalid_urls: refused };
  return { batch_id: id, version: "v1", status: "scraping", ...invalid_urls, ...secret };
}

interface Checked {
  /** As they were sent, each once. */
  urls: string[];
  refused: string[];
}

/** Checks what the schema cannot express. Throws a 400 that names the first invalid field. */
function check({ egress }: CrawlerContext, batch: BatchRequest): Checked {
  const byKey = new Map<string, string>();
  const hosts = new Set<string>();
  const refused: string[] = [];
  for (const [index, text] of batch.urls.entries()) {
    const url = admitOrRefuse(text, index, batch, egress);
    if (!url) refused.push(text);
    else if (!byKey.has(batchKey(text))) byKey.set(batchKey(text), text);
    if (url) hosts.add(url.hostname);
  }
  if (byKey.size === 0) throw invalid("urls", "required", "None of the URLs is valid and allowed.");
  const error = checkPageOptions(batch, [...hosts], pageTimeoutMs);
  if (error) throw invalid(error.field, error.code, error.message);
  const sites = new Set([...hosts].map(hostname => siteName({ hostname })));
  if (batch.session?.login && sites.size > 1)
    throw invalid(
      "session.login",
      "other_site",
      "A login is of one site, and these URLs are of several: send it with a scrape of its site, and the name here.",
    );
  return { urls: [...byKey.values()], refused };
}

function admitOrRefuse(
  url: string,
  index: number,
  { ignore_invalid_urls }: BatchRequest,
  egress: CrawlerContext["egress"],
): URL | null {
  try {
    return admitAt(`urls.${index}`, url, egress);
  } catch (error) {
    if (!ignore_invalid_urls || codeOf(error) === undefined) throw error;
    return null;
  }
}

/** A crawl whose frontier is the list, and whose depth is 0. */
function requestFor(
  { urls: _, ignore_invalid_urls: __, concurrency, ...options }: BatchRequest,
  urls: string[],
): CrawlRequest {
  const [url = ""] = urls;
  const nothing = {
    ...{ include: [], exclude: [], max_depth: 0, sitemaps: false },
    ...{ include_entire_domain: false, include_subdomains: false, include_external_links: false },
  };
  const crawler = { limit: urls.length, ...nothing, ...(concurrency !== undefined && { concurrency }) };
  return { url, crawler, ...options };
}
