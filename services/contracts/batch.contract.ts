import { action, type ParamsOf, type ResultOf, repeatable } from "./action.ts";
import {
  concurrency,
  crawlError,
  errorsWanted,
  nextCursor,
  pagesFound,
  pagesWanted,
  version,
  webhookSecret,
} from "./crawler.contract.ts";
import { pageOptions } from "./page-options.ts";
import { list, named, object, rule, text } from "./schema.ts";

const batchId = rule({ type: "string", min: 1, max: 64, description: "`batch_id` of the batch." });

/** Starts a batch: a crawl of named pages, which follows no link. */
export const startBatch = action("crawler.startBatch", {
  params: {
    urls: {
      type: "array",
      min: 1,
      max: 1000,
      // What is no URL is named by the service, or left out with `ignore_invalid_urls`.
      items: { type: "string", empty: true },
      description:
        "The pages: absolute http or https URLs of public addresses, of at most 2,048 characters, without credentials. A URL that is there twice is read once.",
    },
    ignore_invalid_urls: {
      type: "boolean",
      default: false,
      description:
        "Reads the others where some URLs are invalid or not allowed, and lists those in `invalid_urls`.",
    },
    concurrency,
    ...pageOptions,
    session: {
      ...pageOptions.session,
      description:
        "Each page is read in the session of the key for its own site by this name. A `login` is for URLs of one site.",
    },
  },
  result: named("AcceptedBatch", {
    batch_id: text,
    version,
    status: { type: "equal", value: "scraping" },
    invalid_urls: {
      ...list(text),
      optional: true,
      description: "With `ignore_invalid_urls`: the URLs that are not read.",
    },
    webhook_secret: webhookSecret,
  }),
});
/** The body of `POST /web/batch` after validation: every default is filled in. */
export type BatchRequest = ParamsOf<typeof startBatch>;
export type BatchAccepted = ResultOf<typeof startBatch>;

/** The state of a batch, and a page of its results in the order in which they ended. */
export const batchStatus = repeatable("crawler.batchStatus", {
  params: { batch_id: batchId, ...pagesWanted },
  result: named("Batch", {
    batch_id: text,
    version,
    status: { type: "enum", values: ["scraping", "completed", "failed", "cancelled"] },
    /** `given_up`: the batch broke off again and again for reasons of our own. `quota`: a quota of the key is used up. */
    stop_reason: {
      type: "enum",
      values: ["finished", "quota", "cancelled", "given_up"],
      nullable: true,
      description: "Null while the batch runs.",
    },
    ...pagesFound,
  }),
});
export type BatchStatus = ResultOf<typeof batchStatus>;

/** The pages of a batch that failed or were skipped, in the order in which they ended. */
export const batchErrors = repeatable("crawler.batchErrors", {
  params: { batch_id: batchId, ...errorsWanted },
  result: object({ batch_id: text, data: list(crawlError), next_cursor: nextCursor }),
});
export type BatchErrors = ResultOf<typeof batchErrors>;

/** Cancels a running batch; `already_finished` when it has ended by itself. */
export const cancelBatch = action("crawler.cancelBatch", {
  params: { batch_id: batchId },
  result: named("CancelledBatch", {
    batch_id: text,
    version,
    status: { type: "equal", value: "cancelled" },
  }),
});
export type CancelledBatch = ResultOf<typeof cancelBatch>;
