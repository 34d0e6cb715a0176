import { invalid } from "../contracts/errors.ts";
import type { Cookie, ScrapeRequest } from "../contracts/scraper.contract.ts";
import { pageOptionsFault } from "../domain/request/page-options-fault.ts";

/** What the schema cannot say about a scrape request; the first offence is thrown as a 400 that names its field. */
export function checkRequest(request: ScrapeRequest): void {
  if (request.mode === "async")
    throw invalid(
      "mode",
      "not_available",
      "Asynchronous scrapes are not available yet: leave mode out or set it to sync.",
    );
  if (request.webhook !== undefined)
    throw invalid(
      "webhook",
      "not_available",
      "Webhooks belong to asynchronous scrapes, which are not available yet.",
    );
  const fault = pageOptionsFault(request, new URL(request.url).hostname);
  if (fault) throw invalid(fault.field, fault.code, fault.message);
}

/** The cookies as a list, whichever form the request chose. */
export function pageCookies({ request: { cookies } }: Pick<ScrapeRequest, "request">): Cookie[] {
  if (cookies === undefined || Array.isArray(cookies)) return cookies ?? [];
  return Object.entries(cookies).map(([name, value]) => ({ name, value }));
}
