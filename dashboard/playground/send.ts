/* Sends the request of the playground. */
import type { CrawlAccepted } from "../../services/contracts/crawler.contract.ts";
import type { AcceptedScrape, FinishedScrape } from "../../services/contracts/scraper.contract.ts";
import { ApiError, post } from "../shell/client.ts";
import type { What } from "./load-options.ts";
import type { Mistake } from "./option-values.ts";
import type { Run } from "./outcome.ts";

export interface Started {
  what: What;
  body: Record<string, unknown>;
}

/** How long an answer may take: longer than any scrape. */
const longestMs = 620_000;

export async function send({ what, body }: Started, stop: AbortSignal): Promise<Run> {
  const begun = performance.now();
  const signal = AbortSignal.any([stop, AbortSignal.timeout(longestMs)]);
  try {
    const answer = await post<FinishedScrape | AcceptedScrape | CrawlAccepted>(`/web/${what}`, body, {
      signal,
    });
    const tookMs = performance.now() - begun;
    if ("data" in answer) return { state: "finished", job: answer, tookMs };
    const id = "crawl_id" in answer ? answer.crawl_id : answer.scrape_id;
    return { state: "accepted", id, secret: answer.webhook_secret };
  } catch (error) {
    const id = error instanceof ApiError && error.code === "scrape_timeout" ? error.scrapeId : undefined;
    if (id === undefined) throw error;
    return { state: "late", id, message: error instanceof Error ? error.message : "" };
  }
}

/** Makes an error of mistakes like one of the API, so that a form shows both in the same way. */
export function refuse(mistakes: Mistake[]): ApiError {
  const details = mistakes.map(({ path, message }) => ({ field: path, code: "invalid", message }));
  const message = mistakes.map(({ path, message }) => `${path}: ${message}`).join(" ");
  return new ApiError(400, { code: "validation_failed", message, details });
}
