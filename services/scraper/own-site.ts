import type { Cookie } from "../contracts/page-options.ts";
import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import { isCookieHost } from "../domain/request/page-options-fault.ts";
import { isForEveryone } from "./fetch/headers-for-hop.ts";
import { pageCookies } from "./parse-request.ts";

/**
 * The request for one page of a crawl, without what the user meant for the site that they named when the page is
 * elsewhere: headers stay with the origin of the entry page, cookies with its host or with their domain.
 */
export function keepToOwnSite(request: ScrapeRequest, entryUrl: string): ScrapeRequest {
  const [page, entry] = [URL.parse(request.url), URL.parse(entryUrl)];
  // What is no URL is refused where it is asked for.
  if (!page || page.origin === entry?.origin) return request;
  const { headers = {}, ...options } = request.request;
  const kept = Object.entries(headers).filter(([name]) => isForEveryone(name));
  const cookies = pageCookies(request).filter(cookie => isFor(page.hostname, cookie, entry?.hostname));
  return { ...request, request: { ...options, headers: Object.fromEntries(kept), cookies } };
}

function isFor(host: string, { domain }: Cookie, entryHost?: string): boolean {
  return domain === undefined ? host === entryHost : isCookieHost(host, domain);
}
