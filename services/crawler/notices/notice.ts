import type { JobNotice } from "../../contracts/webhook-dispatcher.contract.ts";
import { firecrawlNotice, type JobNews } from "../../domain/firecrawl/job-notice.ts";
import type { CrawlerContext } from "../context.ts";
import { idOf, type SealedCrawlRequest, type StoredCrawl, unsealWebhookHeaders } from "../crawls.store.ts";

export type Webhook = NonNullable<SealedCrawlRequest["webhook"]>;

/** Something of a crawl that its webhook wants to know. */
interface News extends Pick<JobNews, "event" | "page" | "error"> {
  /** What it adds to the crawl's id: the same whenever it is announced again. */
  name: string;
  timestamp: string;
  /** In Magpie's own form. */
  job: Record<string, unknown>;
}

/** The notice in the form that the webhook wants. */
export async function noticeOf(
  { vault }: Pick<CrawlerContext, "vault">,
  crawl: StoredCrawl,
  webhook: Webhook,
  { name, timestamp, job, ...news }: News,
): Promise<JobNotice> {
  const { kind = "crawl", keyId } = crawl;
  const { url, metadata, format } = webhook;
  const id = idOf(crawl);
  const about = metadata && { metadata };
  const form =
    format === "firecrawl"
      ? { format, job: firecrawlNotice({ id, kind, ...news, ...about }) }
      : { job, ...about };
  return {
    id: `${id}.${name}`,
    type: `${kind}.${news.event}`,
    keyId,
    url,
    headers: await unsealWebhookHeaders(vault, crawl._id, webhook),
    timestamp,
    ...form,
  } satisfies JobNotice;
}
