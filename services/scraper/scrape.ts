import { ulid } from "ulid";
import type { Caller } from "../contracts/caller.ts";
import { codeOf, fail } from "../contracts/errors.ts";
import type { ScrapeJob, ScrapeRequest } from "../contracts/scraper.contract.ts";
import { withoutNulls } from "../domain/request/without-nulls.ts";
import { chooseProxy } from "./choose-proxy.ts";
import { checkRequest } from "./parse-request.ts";
import { type ScrapeTools, scrapePage } from "./scrape-page.ts";

/** A synchronous scrape: admitted at the door, done within its timeout, answered as a finished job. */
export async function scrape(given: ScrapeRequest, caller: Caller, tools: ScrapeTools): Promise<ScrapeJob> {
  const request = withoutNulls(given);
  admitUrl(request.url, tools);
  checkRequest(request);
  const scrape_id = `scr_${ulid()}`;
  const started = Date.now();
  const signal = AbortSignal.timeout(request.timeout);
  const { keyId, owner } = caller;
  const proxyUrl = chooseProxy(tools.proxies, request.proxy, keyId);
  const order = { keyId, owner, proxyUrl, deadline: started + request.timeout, signal };
  const data = await scrapePage(request, order, tools).catch(error => {
    throw signal.aborted ? late(scrape_id, request.timeout, error) : error;
  });
  return {
    scrape_id,
    version: "v1",
    status: "completed",
    url: request.url,
    data,
    started_at: new Date(started).toISOString(),
    ended_at: new Date().toISOString(),
  };
}

/** The guard's refusal; that of a text which is no URL names the field, as every fault of a body does. */
function admitUrl(url: string, { egress }: ScrapeTools): void {
  try {
    egress.admit(url);
  } catch (error) {
    if (codeOf(error) !== "invalid_url") throw error;
    const { message } = error as Error;
    throw fail("invalid_url", message, { details: [{ field: "url", code: "invalid_url", message }] });
  }
}

function late(scrape_id: string, timeoutMs: number, cause: unknown): Error {
  return fail("scrape_timeout", `The page was not ready within ${timeoutMs} ms.`, { scrape_id }, cause);
}
