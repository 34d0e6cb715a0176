import type { Caller } from "../contracts/caller.ts";
import type { CrawlAccepted, CrawlRequest } from "../contracts/crawler.contract.ts";
import { fail, invalid, urlErrorAt } from "../contracts/errors.ts";
import { withUsesOf } from "../domain/crawl/content-policy.ts";
import { checkPageOptions } from "../domain/page-options/page-options.ts";
import { acceptCrawl, type Outside } from "./accept-crawl.ts";
import type { CrawlerContext } from "./context.ts";
import { checkPatterns } from "./pages/crawl-rules.ts";
import { pageTimeoutMs } from "./pages/read-page.ts";

/** Accepts a crawl: stored and queued when this resolves. */
export async function startCrawl(
  context: CrawlerContext,
  caller: Caller,
  request: CrawlRequest,
  outside: Outside,
): Promise<CrawlAccepted> {
  check(context, request);
  const { id, ...secret } = await acceptCrawl(
    context,
    caller,
    { body: request, request: withUsesOf(caller, request) },
    outside,
  );
  return { crawl_id: id, version: "v1", status: "crawling", ...secret };
}

/** Checks what the schema cannot express. Throws a 400 that names the first invalid field. */
function check({ egress, isOwnHost }: CrawlerContext, request: CrawlRequest): void {
  const { hostname } = admitAt("url", request.url, egress);
  const error = checkPageOptions(request, [hostname], pageTimeoutMs);
  if (error) throw invalid(error.field, error.code, error.message);
  checkPatterns(request);
  if (request.crawler.ignore_robots && !isOwnHost(request.url)) throw notOwn(hostname);
}

function notOwn(host: string): Error {
  const message = `robots.txt may be ignored only on the operator's own hosts: ${host} is not in the setting OWN_HOSTS.`;
  return fail("forbidden", message, {
    details: [{ field: "crawler.ignore_robots", code: "host_not_own", message }],
  });
}

/** Applies the guard's rules to a URL of a request. Throws a 400 that names its field. */
export function admitAt(field: string, url: string, egress: CrawlerContext["egress"]): URL {
  try {
    return egress.admit(url);
  } catch (error) {
    throw urlErrorAt(field, error);
  }
}
