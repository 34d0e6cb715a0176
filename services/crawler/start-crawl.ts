import { ulid } from "ulid";
import { claimJob } from "../../mixins/store/idempotency.ts";
import type { Caller } from "../contracts/caller.ts";
import type { CrawlAccepted, CrawlRequest } from "../contracts/crawler.contract.ts";
import { codeOf, fail, invalid, urlErrorAt } from "../contracts/errors.ts";
import type { JobWebhook } from "../contracts/page-options.ts";
import { checkPageOptions } from "../domain/page-options/page-options.ts";
import type { CrawlerContext } from "./context.ts";
import { isoTime, type StoredCrawl, sealRequest } from "./crawls.store.ts";
import { patternsOf } from "./pages/crawl-rules.ts";

/** Runs that may end with an error, such as a server that is away. Each continues where the last one ended. */
const attempts = 1000;
const backoffMs = [1000, 5000, 30_000];
const retryAfterSeconds = 30;

type WebhookAddress = { keyId: string; url: string; headers?: Record<string, string> };

/** What comes with a request beside its body. */
export interface Outside {
  idempotencyKey?: string;
  /** Its errors go to the client. */
  prepareWebhook(webhook: WebhookAddress): Promise<{ secret?: string }>;
}

/** Accepts a crawl: stored and queued when this resolves. */
export async function startCrawl(
  context: CrawlerContext,
  caller: Caller,
  request: CrawlRequest,
  { idempotencyKey, prepareWebhook }: Outside,
): Promise<CrawlAccepted> {
  check(context, request);
  const claimed = { keyId: caller.keyId, operation: "crawl", key: idempotencyKey, body: request };
  const id = await claimJob(context.claims, claimed, () => `crw_${ulid()}`, context.now());
  const known = await context.crawls.findById(id);
  const secret = known ? undefined : await begin(context, caller, id, request, prepareWebhook);
  // Repeated for a known crawl: the process that accepted it may have died before this.
  if (!known || known.status === "crawling") await enqueue(context, id);
  const accepted: CrawlAccepted = { crawl_id: id, version: "v1", status: "crawling" };
  return secret === undefined ? accepted : { ...accepted, webhook_secret: secret };
}

export async function enqueue({ jobs }: Pick<CrawlerContext, "jobs">, crawlId: string): Promise<void> {
  await jobs.add({ id: crawlId, payload: { crawlId }, attempts, backoffMs });
}

/** Checks what the schema cannot express. Throws a 400 that names the first invalid field. */
function check({ egress }: CrawlerContext, request: CrawlRequest): void {
  const { hostname } = admitEntry(egress, request.url);
  const error = checkPageOptions(request, hostname);
  if (error) throw invalid(error.field, error.code, error.message);
  patternsOf(request);
}

function admitEntry(egress: CrawlerContext["egress"], url: string): URL {
  try {
    return egress.admit(url);
  } catch (error) {
    throw urlErrorAt("url", error);
  }
}

/** Returns the webhook's secret if this call created it. */
async function begin(
  context: CrawlerContext,
  caller: Caller,
  id: string,
  request: CrawlRequest,
  prepareWebhook: Outside["prepareWebhook"],
): Promise<string | undefined> {
  const { webhook } = request;
  const prepared = webhook ? await prepareWebhook(addressOf(caller, webhook)) : {};
  await insert(context, caller, {
    _id: id,
    keyId: caller.keyId,
    owner: caller.owner,
    request: await sealRequest(context.vault, id, request),
    status: "crawling",
    startedAt: isoTime(context.now()),
    told: [],
    ...(webhook && { owes: true as const }),
  });
  return prepared.secret;
}

function addressOf({ keyId }: Caller, { url, headers }: JobWebhook): WebhookAddress {
  return { keyId, url, ...(headers && { headers }) };
}

/** Exact under any concurrency: inserts a crawl with a slot of its key, and a unique index keeps slots from sharing. */
async function insert(
  { crawls }: CrawlerContext,
  { keyId, limits }: Caller,
  crawl: StoredCrawl,
): Promise<void> {
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
      // The same request may have come twice.
      if (await crawls.findById(crawl._id)) return;
    }
  }
  throw fail("rate_limited", `This key may run ${max} crawls at a time.`, { retry_after: retryAfterSeconds });
}
