import { ulid } from "ulid";
import { refuseIfUsedUp } from "../../mixins/clients/quotas.ts";
import { type KeepLogin, withoutLogin } from "../../mixins/clients/session-logins.ts";
import { claimJob } from "../../mixins/store/idempotency.ts";
import type { Caller } from "../contracts/caller.ts";
import type { CrawlRequest } from "../contracts/crawler.contract.ts";
import { codeOf, fail } from "../contracts/errors.ts";
import type { JobWebhook } from "../contracts/page-options.ts";
import type { QuotaUse } from "../domain/quota/quotas.ts";
import type { CrawlerContext } from "./context.ts";
import { idOf, isoTime, type StoredCrawl, sealRequest } from "./crawls.store.ts";
import { quotasOf } from "./pages/page-charges.ts";

/** Runs that may end with an error, such as a server that is away. Each continues where the last one ended. */
const attempts = 1000;
const backoffMs = [1000, 5000, 30_000];
const retryAfterSeconds = 30;

type WebhookAddress = { keyId: string; url: string; headers?: Record<string, string> };

/** What comes with a request beside its body. */
export interface Outside {
  idempotencyKey?: string;
  /** The request's place in its trace, which the crawl continues. */
  traceparent?: string | undefined;
  /** Called with the quotas that its pages will be charged to. */
  onQuotas?(quotas: QuotaUse[]): void;
  /** Its errors go to the client. */
  prepareWebhook(webhook: WebhookAddress): Promise<{ secret?: string }>;
  /** Keeps the login of a session with that. Its errors go to the client. */
  keepLogin: KeepLogin;
}

/** A checked request for a crawl or a batch. */
export interface Wanted extends Pick<StoredCrawl, "kind" | "urls"> {
  /** The request as the client sent it. */
  body: object;
  request: CrawlRequest;
}

export interface Accepted {
  /** The id as clients know it. */
  id: string;
  /** The webhook's secret, if this call created it. */
  webhook_secret?: string;
}

/** Accepts a crawl or a batch: stored and queued when this resolves. */
export async function acceptCrawl(
  context: CrawlerContext,
  caller: Caller,
  { body, ...wanted }: Wanted,
  outside: Outside,
): Promise<Accepted> {
  const { idempotencyKey, traceparent } = outside;
  const claimed = { keyId: caller.keyId, operation: wanted.kind ?? "crawl", key: idempotencyKey, body };
  const _id = await claimJob(context.claims, claimed, () => `crw_${ulid()}`, context.now());
  const known = await context.crawls.findById(_id);
  const secret = known
    ? undefined
    : await begin(context, caller, { _id, ...wanted, ...(traceparent && { traceparent }) }, outside);
  // Repeated for a known crawl: the process that accepted it may have died before this.
  if (!known || known.status === "crawling") await enqueue(context, _id);
  const id = idOf({ _id, ...wanted });
  return secret === undefined ? { id } : { id, webhook_secret: secret };
}

export async function enqueue({ jobs }: Pick<CrawlerContext, "jobs">, crawlId: string): Promise<void> {
  await jobs.add({ id: crawlId, payload: { crawlId }, attempts, backoffMs });
}

/** Returns the webhook's secret if this call created it. */
async function begin(
  context: CrawlerContext,
  caller: Caller,
  {
    request: sent,
    ...crawl
  }: Pick<StoredCrawl, "_id" | "kind" | "urls" | "traceparent"> & { request: CrawlRequest },
  { prepareWebhook, keepLogin, onQuotas }: Outside,
): Promise<string | undefined> {
  const { webhook } = sent;
  onQuotas?.(await refuseIfUsedUp(context.quotas, caller.keyId, quotasOf(crawl)));
  const fields = { url: "url", session: "session" };
  const request = await withoutLogin(sent, { keyId: caller.keyId, url: sent.url, fields }, keepLogin);
  const prepared = webhook ? await prepareWebhook(addressOf(caller, webhook)) : {};
  await insert(context, caller, {
    ...crawl,
    keyId: caller.keyId,
    owner: caller.owner,
    request: await sealRequest(context.vault, crawl._id, request),
    status: "crawling",
    startedAt: isoTime(context.now()),
    notified: [],
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
      // A request may come twice.
      if (await crawls.findById(crawl._id)) return;
    }
  }
  throw fail("rate_limited", `This key may run ${max} crawls and batches at a time.`, {
    retry_after: retryAfterSeconds,
  });
}
