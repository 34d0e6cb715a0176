import { claimJob } from "../../../mixins/idempotency/claim-job.ts";
import type { ScrapeJob, ScrapeRequest } from "../../contracts/scraper.contract.ts";
import { insertOnce } from "./insert-once.ts";
import { nextPriority, queueScrape } from "./queue-scrape.ts";
import { type JobsRoom, newScrapeId, type Visitor } from "./room.ts";

/** Whoever took a scrape in gives it to the queue at once; after this time it is taken for dead. */
const queueMs = 60_000;

/** An asynchronous scrape: kept and queued when this resolves. Sent again with its key, it is the same one. */
export async function acceptScrape(
  jobs: JobsRoom,
  request: ScrapeRequest,
  { caller: { keyId, owner }, key, prepareWebhook }: Visitor,
): Promise<ScrapeJob> {
  const { webhook, ...page } = request;
  const prepared = webhook && (await prepareWebhook(webhook));
  const claim = { keyId, operation: "scrape", key, body: request };
  const id = await claimJob(jobs.claims, claim, newScrapeId, jobs.now());
  const priority = await nextPriority(jobs, keyId);
  const record = {
    ...{ _id: id, keyId, owner, url: request.url, request: page, fence: 0 },
    ...{ status: "pending" as const, checkAt: jobs.now() + queueMs, ...(webhook && { webhook }) },
  };
  const isNew = await insertOnce(jobs, record);
  const status = isNew ? "pending" : ((await jobs.scrapes.findById(id))?.status ?? "pending");
  if (status === "pending") await queueScrape(jobs, record, priority);
  const secret = prepared?.secret;
  return { scrape_id: id, version: "v1", status, ...(secret !== undefined && { webhook_secret: secret }) };
}
