import type { EditedSite } from "../edited-site.ts";
import { until } from "../until.ts";
import type { Expected } from "./edits.ts";
import { judgeEvents, type SiteEvent } from "./judge-events.ts";

/** Sends a request with a key of an installation; answers the body. */
export type Ask = (method: "GET" | "POST", path: string, body?: object) => Promise<unknown>;

export interface FollowOptions {
  /** How long a round, and the baseline, may take at most. */
  timeoutMs: number;
  /** Beside `limit` and `checks`. */
  options?: Record<string, unknown>;
}

/** A site that is tracked, with its events as they come. */
export interface FollowedSite {
  /** The source. */
  id: string;
  /** All events of the source, in order. */
  events: SiteEvent[];
  /** Resolves when so many more rounds have ended. */
  rounds(count: number): Promise<void>;
  /** Waits for what is due, and two rounds more; answers what is wrong with the events since the last time, "" for nothing. */
  settled(due: Expected): Promise<string[]>;
}

const usualLimit = 50_000;

/** Tracks a site, and resolves when its first round has ended. */
export async function followSite(
  ask: Ask,
  site: EditedSite,
  { timeoutMs, options = {} }: FollowOptions,
): Promise<FollowedSite> {
  const body = { sid: site.url, options: { limit: usualLimit, checks: true, ...options } };
  const { data } = (await ask("POST", "/track/site", body)) as { data: { id: string } };
  const events: SiteEvent[] = [];
  let after = 0;
  let judged = 0;
  const read = async () => {
    for (let more = true; more; ) {
      const page = (await ask("GET", `/events?after=${after}&source=${data.id}&limit=100`)) as Page;
      events.push(...page.data);
      after = page.next_after;
      more = page.more;
    }
  };
  const checked = () => events.filter(({ type }) => type === "site.checked").length;
  const rounds = async (count: number) => {
    const wanted = checked() + count;
    await until(
      `${count} rounds`,
      async () => {
        await read();
        return checked() >= wanted;
      },
      timeoutMs,
    );
  };
  const fresh = () => events.slice(judged).filter(({ type }) => type !== "site.checked");
  await rounds(1);
  return {
    id: data.id,
    events,
    rounds,
    settled: async due => {
      const isComplete = async () => {
        await read();
        return judgeEvents(site, fresh(), due).every(problem => !problem.startsWith("missing"));
      };
      // A time-out is told by what is missing.
      await until("all events", isComplete, timeoutMs).catch(() => undefined);
      await rounds(2);
      const problems = judgeEvents(site, fresh(), due);
      judged = events.length;
      return problems;
    },
  };
}

interface Page {
  data: SiteEvent[];
  next_after: number;
  more: boolean;
}
