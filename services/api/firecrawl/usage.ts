import { aboutMe, myUsage } from "../../contracts/keys.contract.ts";
import { answerWith, ask } from "./ask.ts";
import type { Version } from "./options.ts";

const windowMs = 60_000;
/** Requests are counted for a year. */
const days = 366;

/** What clients count. Magpie counts requests, whatever they ask by. */
export type Unit = "credits" | "tokens";

/** `GET /team/credit-usage` and `/team/token-usage`: one for each request; the plan is what the key may send in a minute. */
export const usageOf = (unit: Unit, version: Version) =>
  answerWith({}, async ({ context, caller }) => {
    const limit = caller.limits.requestsPerMinute;
    const { remaining } = await context.limiter.peek(caller.keyId, { limit, windowMs });
    return { success: true, data: leftOf(unit, remaining, limit, version) };
  });

export function leftOf(unit: Unit, remaining: number, plan: number, version: Version) {
  const names = { credits: "Credits", tokens: "Tokens" } as const;
  if (version === "v2")
    return {
      [`remaining${names[unit]}`]: remaining,
      [`plan${names[unit]}`]: plan,
      billingPeriodStart: null,
      billingPeriodEnd: null,
    };
  return {
    [`remaining_${unit}`]: remaining,
    [`plan_${unit}`]: plan,
    billing_period_start: null,
    billing_period_end: null,
  };
}

/** `GET /team/credit-usage/historical` and `/team/token-usage/historical`: the requests of each month. */
export const pastUsageOf = (unit: Unit) =>
  answerWith<{ byApiKey?: string }>(
    { byApiKey: { type: "enum", values: ["true", "false"], optional: true } },
    async (asked, { byApiKey }) => {
      const { data } = await ask(asked, myUsage, { days });
      const name = byApiKey === "true" ? (await ask(asked, aboutMe, {})).data.key.name : null;
      return { success: true, periods: periodsOf(data, unit, name) };
    },
  );

/** Months in UTC, the oldest first. */
export function periodsOf(counts: { day: string; requests: number }[], unit: Unit, apiKey: string | null) {
  const months = Map.groupBy(counts, ({ day }) => day.slice(0, 7));
  const total = unit === "credits" ? "totalCredits" : "totalTokens";
  return [...months]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, ofMonth]) => ({
      ...boundsOf(month),
      apiKey,
      [total]: ofMonth.reduce((sum, { requests }) => sum + requests, 0),
    }));
}

function boundsOf(month: string): { startDate: string; endDate: string } {
  const start = new Date(`${month}-01T00:00:00.000Z`);
  const end = new Date(start);
  end.setUTCMonth(end.getUTCMonth() + 1);
  return { startDate: start.toISOString(), endDate: end.toISOString() };
}
