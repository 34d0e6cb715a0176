import { chargeOrRefuse, renderedId } from "../../../mixins/clients/quotas.ts";
import type { Claim } from "../../../mixins/frontier/frontier.ts";
import { digestOf } from "../../../mixins/store/idempotency.ts";
import type { QuotaName } from "../../domain/quota/quotas.ts";
import type { CrawlerContext } from "../context.ts";
import type { StoredCrawl } from "../crawls.store.ts";

/** The quotas that a page of a crawl or a batch is charged to. */
export function quotasOf({ kind }: Pick<StoredCrawl, "kind">): QuotaName[] {
  return kind === "batch" ? ["pages", "crawled"] : ["crawled"];
}

/** The id of a page's charge, in whichever run of its crawl it is read. */
export function chargeOf({ _id }: Pick<StoredCrawl, "_id">, { key }: Pick<Claim, "key">): string {
  return digestOf([_id, key]);
}

/** Charges a page that is about to be read; false for a key without quotas. Throws `quota_exceeded`. */
export async function chargePage(
  { quotas }: Pick<CrawlerContext, "quotas">,
  crawl: StoredCrawl,
  id: string,
): Promise<boolean> {
  if (!(await quotas.has(crawl.keyId))) return false;
  const amounts = Object.fromEntries(quotasOf(crawl).map(name => [name, 1]));
  await chargeOrRefuse(quotas, crawl.keyId, { id, amounts });
  return true;
}

/** Ends the charge of a page once its end is in the frontier. A page that was read counts, whatever came of it later. */
export async function settlePage(
  { context, crawl }: { context: Pick<CrawlerContext, "quotas" | "onError">; crawl: StoredCrawl },
  claim: Claim,
  isRead: boolean,
): Promise<void> {
  const { quotas, onError } = context;
  try {
    if (!(await quotas.has(crawl.keyId))) return;
    const charge = chargeOf(crawl, claim);
    await quotas.settle(crawl.keyId, [charge, renderedId(charge)], isRead);
  } catch (error) {
    // It stays open, and counts.
    onError("quota_charge.failed", crawl._id, error);
  }
}
