import { invalid } from "../contracts/errors.ts";
import type { Cookie } from "../contracts/page-options.ts";
import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import { pageOptionsFault } from "../domain/request/page-options-fault.ts";

/** What the schema cannot say about a scrape request; the first offence is thrown as a 400 that names its field. */
export function checkRequest(request: ScrapeRequest): void {
  if (request.mode === "sync" && request.webhook !== undefined)
    throw invalid(
      "webhook",
      "not_applicable",
      "A webhook is told of asynchronous scrapes: set mode to async, or leave webhook out.",
    );
  const fault = pageOptionsFault(request, new URL(request.url).hostname);
  if (fault) throw invalid(fault.field, fault.code, fault.message);
}

/** The cookies as a list, whichever form the request chose. */
export function pageCookies({ request: { cookies } }: Pick<ScrapeRequest, "request">): Cookie[] {
  if (cookies === undefined || Array.isArray(cookies)) return cookies ?? [];
  return Object.entries(cookies).map(([name, value]) => ({ name, value }));
}
