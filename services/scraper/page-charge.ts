import {
  chargeOrRefuse,
  type Quotas,
  quotaExceeded,
  renderedId,
  sentenceOf,
} from "../../mixins/clients/quotas.ts";
import type { LogEvent } from "../../mixins/log/log-events.ts";
import type { ScrapeData } from "../contracts/page.contract.ts";
import type { QuotaUse } from "../domain/quota/quotas.ts";
import type { PageOrder } from "./page-request.ts";

/** A scrape with the id of its charge, where that is not its own id. */
interface ChargedScrape {
  _id: string;
  keyId: string;
  charge?: string;
}

interface Context {
  quotas: Quotas;
  /** Reports errors of background work. */
  onError(event: LogEvent, error: unknown): void;
}

type Outcome =
  | { ok: true; data: { metadata: Pick<ScrapeData["metadata"], "cached_at"> } }
  | { ok: false; error?: unknown };

/**
 * Charges a scrape before it begins. Answers the id of its charge and the quotas; undefined for a key without quotas. A
 * scrape that is repeated finds its charge. Throws 429 `quota_exceeded`.
 */
export async function chargeScrape(
  { quotas }: Context,
  { _id, keyId, charge = _id }: ChargedScrape,
): Promise<{ charge: string; quotas: QuotaUse[] } | undefined> {
  if (!(await quotas.has(keyId))) return undefined;
  const uses = await chargeOrRefuse(quotas, keyId, { id: charge, amounts: { pages: 1 } });
  return { charge, quotas: uses.filter(({ name }) => name === "pages" || name === "rendered") };
}

/**
 * Ends the charge of a scrape that has ended: a page that was read counts, and nothing else does, neither a failure nor an
 * earlier result.
 */
export async function settleScrape(
  { quotas, onError }: Context,
  { _id, keyId, charge = _id }: ChargedScrape,
  outcome: Outcome,
): Promise<void> {
  try {
    if (!(await quotas.has(keyId))) return;
    const isRead = outcome.ok && outcome.data.metadata.cached_at === undefined;
    await quotas.settle(keyId, [charge, renderedId(charge)], isRead);
  } catch (error) {
    // It stays open, and counts.
    onError("quota_charge.failed", error);
  }
}

/** Charges the browser's part of a page, which is settled with the page. */
export function renderCharge(
  quotas: Quotas,
  keyId: string,
  charge: string,
): NonNullable<PageOrder["chargeRender"]> {
  return async () =>
    (await quotas.charge(keyId, [{ id: renderedId(charge), amounts: { rendered: 1 } }])).refused;
}

/** Charges what the browser is about to render; the quota that refuses it, or null. Throws 429 when the request asks for what only the browser can do. */
export async function refuseToRender(
  { chargeRender }: PageOrder,
  isAskedFor: boolean,
): Promise<QuotaUse | null> {
  const refused = (await chargeRender?.()) ?? null;
  if (refused && isAskedFor) throw quotaExceeded(refused, Date.now());
  return refused;
}

/** Why a page was not rendered. */
export function unrendered(quota: QuotaUse): string {
  return `${sentenceOf(quota)} The page was read as the server sent it, and its scripts were not run.`;
}
