import { setTimeout as pause } from "node:timers/promises";
import type { Listener } from "../../social/social-connector.ts";
import { hearPosts } from "./hear-posts.ts";
import type { XRoom } from "./room.ts";
import { syncRules } from "./sync-rules.ts";
import type { TrackedChanges } from "./tracked-changes.ts";

/** X takes 100 changes of rules in 15 minutes, and a step makes two. */
const rulesEveryMs = 20_000;
const fields = {
  "tweet.fields": "author_id,created_at,edit_history_tweet_ids,note_tweet,public_metrics,text",
  expansions: "author_id",
};

/** One connection to the filtered stream, from its rules to its end; what ends it is thrown. */
export async function runSession(
  x: XRoom,
  listener: Listener,
  changes: TrackedChanges,
  signal: AbortSignal,
  stands: () => void,
): Promise<never> {
  const ending = new AbortController();
  const session = AbortSignal.any([signal, ending.signal]);
  try {
    await x.budget.check();
    const accounts = changes.current();
    await syncRules(x, accounts, session);
    const stream = await x.api.open(streamPath(x), x.silenceMs, session);
    stands();
    await listener.onGap();
    return await firstToEnd(ending, [
      hearPosts(x, listener, stream),
      keepRules(x, listener, changes, new Set(accounts), session),
    ]);
  } finally {
    ending.abort();
  }
}

function streamPath({ settings: { backfillMinutes } }: XRoom): string {
  const query = new URLSearchParams(fields);
  if (backfillMinutes) query.set("backfill_minutes", String(backfillMinutes));
  return `/2/tweets/search/stream?${query}`;
}

/** What came before an account had its rule is read by polling. */
async function keepRules(
  x: XRoom,
  listener: Listener,
  changes: TrackedChanges,
  known: Set<string>,
  signal: AbortSignal,
): Promise<never> {
  for (let heard = known; ; ) {
    await changes.next(signal);
    const accounts = new Set(changes.current());
    await syncRules(x, [...accounts], signal);
    const fresh = [...accounts].filter(account => !heard.has(account));
    if (fresh.length > 0) await listener.onGap(fresh);
    heard = accounts;
    await pause(x.settings.rulesEveryMs ?? rulesEveryMs, undefined, { signal });
  }
}

/** When one task ends, so does the other; throws what the first one ended with. */
async function firstToEnd(ending: AbortController, tasks: Promise<never>[]): Promise<never> {
  try {
    return await Promise.race(tasks);
  } finally {
    ending.abort();
    await Promise.allSettled(tasks);
  }
}
