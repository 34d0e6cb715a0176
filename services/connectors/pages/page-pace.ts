import { learnHabits, longestWait } from "../../domain/polling/habits.ts";
import type { View } from "../../domain/watch/view.ts";
import type { ConnectorTools, PolledSource } from "../connector.ts";
import { confirmationMs, nextInterval, pacedWait, pageWait } from "../poll-interval.ts";
import { type PagePace, pageState } from "./page-state.ts";

/** A check that was made. Changes that are muted or held are no news. */
interface Made {
  isNews: boolean;
  headers: Record<string, string>;
  /** A second check is to confirm it. */
  confirm?: boolean;
}

/** The pace after a check, and the wait until the next one. */
export function nextPageCheck(
  { state, view = {} }: Pick<PolledSource, "state" | "view">,
  { isNews, headers, confirm = false }: Made,
  { now, random, minIntervalMs }: Pick<ConnectorTools, "now" | "random" | "minIntervalMs">,
): { pace: PagePace; nextInMs: number } {
  const former = pageState(state);
  const at = now();
  const intervalMs = nextInterval(former.intervalMs ?? minIntervalMs, {
    found: isNews,
    minMs: minIntervalMs,
  });
  const habits = isNews
    ? learnHabits(former.habits, [{ after: former.checkedAt ?? 0, until: at }])
    : former.habits;
  const newsAt = isNews ? at : (former.newsAt ?? at);
  const liveliness = { isAimed: isAimed(view), isFeed: false, newsAt };
  const pacedMs = pacedWait(
    { ...liveliness, intervalMs, habits },
    { now: at, random: random(), minIntervalMs },
  );
  const waitMs = Math.max(pacedMs, pageWait(headers, at, longestWait(liveliness, at)));
  return {
    pace: { intervalMs, checkedAt: at, newsAt, ...(habits && { habits }) },
    nextInMs: confirm ? Math.min(confirmationMs(headers, at), waitMs) : waitMs,
  };
}

/** Somebody waits for a part of the page, a number or a field. */
function isAimed({ select, when, json, extract, items }: View): boolean {
  return [select, when, json, extract, items].some(part => part !== undefined);
}
