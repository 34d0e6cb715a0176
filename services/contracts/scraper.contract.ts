import type { Readable } from "node:stream";
import { action, type ParamsOf, repeatable } from "./action.ts";
import { scrapeData } from "./page.contract.ts";
import { pageOptions } from "./page-options.ts";
import { type Infer, named, rule, text, time, unchecked } from "./schema.ts";

const version = rule({ type: "equal", value: "v1" });
export const scrapeState = rule({ type: "enum", values: ["pending", "completed", "failed"] });

/** A scrape that ended well. */
export const finishedScrape = named("FinishedScrape", {
  scrape_id: text,
  version,
  status: { type: "equal", value: "completed" },
  url: text,
  data: { ...scrapeData, description: "Only the formats that were asked for are present." },
  started_at: time,
  ended_at: time,
});
export type FinishedScrape = Infer<typeof finishedScrape>;

/** The answer to an asynchronous scrape. */
export const acceptedScrape = named("AcceptedScrape", {
  scrape_id: text,
  version,
  status: { ...scrapeState, description: "`pending`, unless the same request was sent before." },
  webhook_secret: {
    ...text,
    optional: true,
    description:
      "Signs the deliveries to `webhook.url`. Shown once, when it was made for a key that had none.",
  },
});

export type AcceptedScrape = Infer<typeof acceptedScrape>;

/** A scrape in any state. */
export const scrapeJob = named("Scrape", {
  ...finishedScrape.props,
  status: scrapeState,
  data: {
    ...scrapeData,
    optional: true,
    description: "When `completed`: the formats that were asked for.",
  },
  error: {
    ...named("Failure", { code: text, message: text }),
    optional: true,
    description: "When `failed`.",
  },
  started_at: { ...time, optional: true, description: "Once it has started." },
  ended_at: { ...time, optional: true, description: "Once it has ended." },
});
export type ScrapeJob = Infer<typeof scrapeJob>;

/**
 * Scrapes one page. Answers when it is done; with `mode: async`, when it is stored and queued. With
 * `meta.idempotencyKey` a repeated request is the same scrape. When a node dies the bus repeats the call: without a key
 * as another scrape, since nobody knows of the first.
 */
export const scrape = repeatable("scraper.scrape", {
  params: {
    url: {
      type: "string",
      min: 1,
      max: 2048,
      description: "The page: an absolute http or https URL of a public address, without credentials.",
    },
    mode: {
      type: "enum",
      values: ["sync", "async"],
      default: "sync",
      description: "`sync` answers with the page, `async` at once with a `scrape_id`.",
    },
    timeout: {
      type: "number",
      integer: true,
      min: 1000,
      max: 600_000,
      default: 30_000,
      description:
        "Milliseconds that the request waits for a synchronous scrape; then the answer is 408 `scrape_timeout` with the `scrape_id`, and the scrape continues. A scrape, synchronous or not, may take twice this time, at least one minute and at most ten.",
    },
    breakdown: {
      type: "boolean",
      default: false,
      description:
        "With the `json` format: also returns the recipe of the extraction, as `data.json_recipe`.",
    },
    max_age: {
      type: "number",
      integer: true,
      min: 0,
      max: 604_800_000,
      default: 0,
      description:
        "Milliseconds: an equal scrape by the same key that began no longer ago answers in place of the site, with `metadata.cached_at`. Scrapes are kept for 24 hours by default. 0 asks the site.",
    },
    ...pageOptions,
  },
  result: { type: "multi", rules: [finishedScrape, acceptedScrape] },
});
/** The body of `POST /web/scrape` after validation: every default is filled in. */
export type ScrapeRequest = ParamsOf<typeof scrape>;

const scrapeId = rule({ type: "string", min: 1, max: 64, description: "`scrape_id` of the scrape." });

/** The state of a scrape. 404 for another owner's; 410 once it has expired. */
export const scrapeStatus = repeatable("scraper.status", {
  params: { scrape_id: scrapeId },
  result: scrapeJob,
});

/** Ends a pending scrape as `failed`, code `cancelled`; `already_finished` when it has ended. */
export const cancelScrape = action("scraper.cancel", {
  params: { scrape_id: scrapeId },
  result: scrapeJob,
});

/** The PNG of a screenshot, as a stream. 404 for an unknown or expired key and for another owner's. */
export const screenshot = repeatable("scraper.screenshot", {
  params: {
    key: {
      type: "string",
      min: 1,
      max: 256,
      description:
        "`data.screenshot` of a scrape, or one of `data.change.screenshot` of a page that the key tracks.",
    },
  },
  result: unchecked<Readable>(),
});
