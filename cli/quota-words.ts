import type { KeyQuotas } from "../services/contracts/quotas.contract.ts";

/** The quotas that are set: `pages 1000/day, crawled 50000/month`. */
export function quotaWords(quotas: KeyQuotas): string {
  const set = Object.entries(quotas).flatMap(([period, of]) =>
    Object.entries(of).flatMap(([name, limit]) => (limit === null ? [] : [`${name} ${limit}/${period}`])),
  );
  return set.join(", ") || "none";
}
