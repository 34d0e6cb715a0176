/** What is counted for a key. docs/guides/keys-and-limits.md says what each one counts. */
export const quotaNames = ["pages", "rendered", "crawled", "events", "deliveries"] as const;
export type QuotaName = (typeof quotaNames)[number];

/** A quota holds for a day or a month of UTC. */
export const quotaPeriods = ["day", "month"] as const;
export type QuotaPeriod = (typeof quotaPeriods)[number];

/** How much of each a piece of work takes. */
export type Amounts = { [Name in QuotaName]?: number };

/** The quotas of a key. What is left out, or null, has no quota. */
export type Quotas = { [Period in QuotaPeriod]?: { [Name in QuotaName]?: number | null } };

/** A quota of a key, and how much of it is used. */
export interface QuotaUse {
  name: QuotaName;
  period: QuotaPeriod;
  used: number;
  limit: number;
  /** ISO 8601. */
  resets_at: string;
}

/** The period that a time is in: `2026-11-27`, or `2026-11`. Later periods compare as greater. */
export function labelOf(period: QuotaPeriod, now: number): string {
  return new Date(now).toISOString().slice(0, period === "day" ? 10 : 7);
}

/** When the period of a label begins, in Unix milliseconds. */
export function startOf(label: string): number {
  return Date.parse(label);
}

/** When the period of a label ends and the next one begins, in Unix milliseconds. */
export function endOf(period: QuotaPeriod, label: string): number {
  const start = new Date(startOf(label));
  return period === "day"
    ? start.setUTCDate(start.getUTCDate() + 1)
    : start.setUTCMonth(start.getUTCMonth() + 1);
}

/** Whether a key has any quota, or one of this name. */
export function hasQuota(quotas: Quotas, name?: QuotaName): boolean {
  return [...limitsOf(quotas)].some(limit => name === undefined || limit.name === name);
}

/** The quotas that are set, of the day first. */
export function* limitsOf(quotas: Quotas): Iterable<{ period: QuotaPeriod; name: QuotaName; limit: number }> {
  for (const period of quotaPeriods)
    for (const name of quotaNames) {
      const limit = quotas[period]?.[name] ?? null;
      if (limit !== null) yield { period, name, limit };
    }
}

/** The quotas that are set, for people: `pages 1000/day, crawled 50000/month`. */
export function quotaWords(quotas: Quotas): string {
  return (
    [...limitsOf(quotas)].map(({ name, limit, period }) => `${name} ${limit}/${period}`).join(", ") || "none"
  );
}

/** The quotas with all names; null where there is none. */
export function allQuotas(quotas: Quotas = {}): Record<QuotaPeriod, Record<QuotaName, number | null>> {
  const of = (period: QuotaPeriod) =>
    Object.fromEntries(quotaNames.map(name => [name, quotas[period]?.[name] ?? null])) as Record<
      QuotaName,
      number | null
    >;
  return { day: of("day"), month: of("month") };
}

/** Whole seconds from the beginning of a period to its end. */
export function secondsOf({ period, resets_at }: Pick<QuotaUse, "period" | "resets_at">): number {
  const last = labelOf(period, Date.parse(resets_at) - 1);
  return (Date.parse(resets_at) - startOf(last)) / 1000;
}

/** Whole seconds until a quota resets, at least one. */
export function secondsUntilReset({ resets_at }: Pick<QuotaUse, "resets_at">, now: number): number {
  return Math.max(1, Math.ceil((Date.parse(resets_at) - now) / 1000));
}
