/* The quotas of a key, as fields of a form and in words. */
import type { KeyQuotas } from "../../services/contracts/quotas.contract.ts";
import { count, plural } from "../parts/time.ts";

export const periods = ["day", "month"] as const;

export const labels: Record<keyof KeyQuotas["day"], string> = {
  pages: "Pages",
  rendered: "Rendered pages",
  crawled: "Crawled pages",
  events: "Events",
  deliveries: "Deliveries",
};
export const names = Object.keys(labels) as (keyof KeyQuotas["day"])[];

/** Separates the quotas from the values of the other fields. An empty field is null, which is no quota. */
export function takeQuotas(values: Record<string, string>): {
  quotas: KeyQuotas;
  others: Record<string, string>;
} {
  const of = (period: (typeof periods)[number]) =>
    Object.fromEntries(
      names.map(name => {
        const value = values[`quotas.${period}.${name}`] ?? "";
        return [name, value === "" ? null : Number(value)];
      }),
    ) as KeyQuotas["day"];
  const others = Object.entries(values).filter(([name]) => !name.startsWith("quotas."));
  return { quotas: { day: of("day"), month: of("month") }, others: Object.fromEntries(others) };
}

/** Names the quotas that are set in few words: `1,000 pages a day`, `2 quotas`, `none`. */
export function quotaWords(quotas: KeyQuotas): string {
  const set = periods.flatMap(period =>
    names.flatMap(name => {
      const limit = quotas[period][name];
      return limit === null ? [] : [`${count(limit)} ${labels[name].toLowerCase()} a ${period}`];
    }),
  );
  if (set.length > 1) return plural(set.length, "quota");
  return set[0] ?? "none";
}
