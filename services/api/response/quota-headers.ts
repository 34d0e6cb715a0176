import { type QuotaUse, secondsOf, secondsUntilReset } from "../../domain/quota/quotas.ts";

/** An answer, or what collects the headers of one. */
interface HasHeaders {
  getHeader(name: string): unknown;
  setHeader(name: string, value: string): unknown;
}

/**
 * Adds the quotas that a request was charged to behind its rate limit, in the form of the IETF draft: each is a policy of
 * its own, `"pages-day";q=1000;w=86400`.
 */
export function addQuotaHeaders(res: HasHeaders, quotas: readonly QuotaUse[], now: number): void {
  if (quotas.length === 0) return;
  const policies = quotas.map(quota => `${nameOf(quota)};q=${quota.limit};w=${secondsOf(quota)}`);
  const left = quotas.map(quota => {
    const { used, limit } = quota;
    return `${nameOf(quota)};r=${Math.max(0, limit - used)};t=${secondsUntilReset(quota, now)}`;
  });
  append(res, "ratelimit-policy", policies);
  append(res, "ratelimit", left);
}

function nameOf({ name, period }: QuotaUse): string {
  return `"${name}-${period}"`;
}

function append(res: HasHeaders, name: string, entries: string[]): void {
  const known = res.getHeader(name);
  res.setHeader(name, [...(typeof known === "string" ? [known] : []), ...entries].join(", "));
}
