import { ulid } from "ulid";
import { claimJob } from "../../mixins/idempotency/claim-job.ts";
import type { Caller } from "../contracts/caller.ts";
import type { CrawlAccepted, CrawlRequest } from "../contracts/crawler.contract.ts";
import { codeOf, fail, invalid } from "../contracts/errors.ts";
import type { JobWebhook } from "../contracts/page-options.ts";
import { pageOptionsFault } from "../domain/request/page-options-fault.ts";
import { withoutNulls } from "../domain/request/without-nulls.ts";
import { patternsOf } from "./crawl-rules.ts";
import { type CrawlerRoom, isoTime, type StoredCrawl } from "./room.ts";

/** Runs that a fault ends, such as a server that is away, which is waited for; the next one goes on where it was. */
const attempts = 1000;
const backoffMs = [1000, 5000, 30_000];
const retryAfterSeconds = 30;

type WebhookAddress = { keyId: string; url: string; headers?: Record<string, string> };

/** What comes with a request. */
export interface Outside {
  idempotencyKey?: string;
  /** Errors are the client's to read. */
  prepareWebhook(webhook: WebhookAddress): Promise<{ secret?: string }>;
}

/** Accepts a crawl: once this resolves it is on disk, and will be driven. */
export async function startCrawl(
  room: CrawlerRoom,
  caller: Caller,
  given: CrawlRequest,
  { idempotencyKey, prepareWebhook }: Outside,
): Promise<CrawlAccepted> {
  const request = withoutNulls(given);
  check(room, request);
  const claimed = { keyId: caller.keyId, operation: "crawl", key: idempotencyKey, body: request };
  const id = await claimJob(room.claims, claimed, () => `crw_${ulid()}`, room.now());
  const known = await room.crawls.findById(id);
  const secret = known ? undefined : await begin(room, caller, id, request, prepareWebhook);
  // Repeated for a crawl that is known: whoever accepted it may have died before.
  if (!known || known.status === "crawling") await enqueue(room, id);
  const accepted: CrawlAccepted = { crawl_id: id, version: "v1", status: "crawling" };
  return secret === undefined ? accepted : { ...accepted, webhook_secret: secret };
}

export async function enqueue({ jobs }: Pick<CrawlerRoom, "jobs">, crawlId: string): Promise<void> {
  await jobs.add({ id: crawlId, payload: { crawlId }, attempts, backoffMs });
}

/** What the schema cannot say; the first offence is thrown as a 400 that names its field. */
function check({ egress }: CrawlerRoom, request: CrawlRequest): void {
  const { hostname } = admitEntry(egress, request.url);
  const fault = pageOptionsFault(request, hostname);
  if (fault) throw invalid(fault.field, fault.code, fault.message);
  patternsOf(request);
}

function admitEntry(egress: CrawlerRoom["egress"], url: string): URL {
  try {
    return egress.admit(url);
  } catch (error) {
    if (codeOf(error) !== "invalid_url") throw error;
    const { message } = error as Error;
    throw fail("invalid_url", message, { details: [{ field: "url", code: "invalid_url", message }] });
  }
}

/** Gives the secret that was made for its webhook, if one was. */
async function begin(
  room: CrawlerRoom,
  caller: Caller,
  id: string,
  request: CrawlRequest,
  prepareWebhook: Outside["prepareWebhook"],
): Promise<string | undefined> {
  const { webhook } = request;
  const prepared = webhook ? await prepareWebhook(addressOf(caller, webhook)) : {};
  await insert(room, caller, {
    _id: id,
    keyId: caller.keyId,
    owner: caller.owner,
    request,
    status: "crawling",
    startedAt: isoTime(room.now()),
    told: [],
    ...(webhook && { owes: true as const }),
  });
  return prepared.secret;
}

function addressOf({ keyId }: Caller, { url, headers }: JobWebhook): WebhookAddress {
  return { keyId, url, ...(headers && { headers }) };
}

/** Exact under any concurrency: a crawl is inserted together with a place of its key that is nobody else's. */
async function insert({ crawls }: CrawlerRoom, { keyId, limits }: Caller, crawl: StoredCrawl): Promise<void> {
  const max = limits.concurrentCrawls;
  const others = await crawls.find({ query: { keyId, slot: { $exists: true } } });
  const taken = new Set(others.map(({ slot }) => slot));
  for (let slot = 0; slot < max; slot++) {
    if (taken.has(slot)) continue;
    try {
      await crawls.insert({ ...crawl, slot });
      return;
    } catch (error) {
      if (codeOf(error) !== "conflict") throw error;
      // The same request may have come twice, and this one second.
      if (await crawls.findById(crawl._id)) return;
    }
  }
  throw fail("rate_limited", `This key may run ${max} crawls at a time.`, { retry_after: retryAfterSeconds });
}
