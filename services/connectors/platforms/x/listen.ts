import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, type ErrorExtras } from "../../../contracts/errors.ts";
import { isRefusal, type Listener, refusal } from "../../social/social-connector.ts";
import type { XContext } from "./context.ts";
import { publishStream, syncRules } from "./filtered-stream.ts";
import { mediaFields, pollFields } from "./read-posts.ts";
import { isId } from "./sid.ts";

const maxOwnPauseMs = 60_000;
/** X may ask for a longer wait, but the operator may have fixed the cause meanwhile. */
const maxRequestedPauseMs = 60 * 60_000;

/**
 * Listens to the filtered stream while any account is tracked: X refuses a stream without rules. Reconnects with growing
 * waits. Rejects when X refuses the credentials.
 */
export async function listen(x: XContext, listener: Listener, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  if (!x.settings.bearerToken) throw refusal("X needs a bearer token: set X_BEARER_TOKEN.");
  const changes = new TrackedChanges(listener);
  try {
    await reconnectUntilStopped(x, listener, changes, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    changes.close();
  }
}

async function reconnectUntilStopped(
  x: XContext,
  listener: Listener,
  changes: TrackedChanges,
  signal: AbortSignal,
): Promise<never> {
  const { now } = x.tools;
  let lastReason = "";
  for (let failures = 0; ; failures += 1) {
    while (changes.current().length === 0) await changes.next(signal);
    let connectedAt = Number.POSITIVE_INFINITY;
    const error = await runSession(x, listener, changes, signal, () => {
      connectedAt = now();
      lastReason = "";
    }).catch((thrown: unknown) => thrown);
    signal.throwIfAborted();
    if (isRefusal(error)) throw explainRefusal(error as Error);
    const reason = reasonOf(error);
    if (reason !== lastReason) listener.onLost(reason);
    lastReason = reason;
    // A stream that breaks soon after it opened counts as one that could not be opened.
    if (now() - connectedAt > maxOwnPauseMs) failures = 0;
    await sleep(pauseMs(x, error, failures), undefined, { signal });
  }
}

function explainRefusal(cause: Error): Error {
  return refusal(
    `${cause.message} Check X_BEARER_TOKEN, and that the app's plan has the filtered stream.`,
    cause,
  );
}

/** Messages of the driver can be shown; errors of libraries are replaced. */
function reasonOf(error: unknown): string {
  const { message } = error as Error;
  return codeOf(error) !== undefined || message.startsWith("X") ? message : "The connection to X broke.";
}

/** Doubles up to a minute, plus up to a tenth. A longer wait that X asks for takes precedence. */
function pauseMs({ tools }: XContext, error: unknown, failures: number): number {
  const { data } = error as { data?: ErrorExtras };
  const askedMs = (data?.retry_after ?? 0) * 1000;
  const ownMs = Math.min(maxOwnPauseMs, tools.reconnectMs * 2 ** Math.min(failures, 20));
  return (
    (askedMs > maxOwnPauseMs ? Math.min(askedMs, maxRequestedPauseMs) : ownMs) * (1 + tools.random() / 10)
  );
}

/** X allows 100 rule changes in 15 minutes, and each round makes two. */
const rulesEveryMs = 20_000;
const fields = {
  "tweet.fields":
    "attachments,author_id,created_at,edit_history_tweet_ids,entities,in_reply_to_user_id,lang,note_tweet,public_metrics,referenced_tweets,text",
  expansions: "author_id,attachments.media_keys,attachments.poll_ids",
  "media.fields": mediaFields.join(","),
  "poll.fields": pollFields.join(","),
};

/** Runs one connection to the filtered stream, from its rules to its end; throws why it ended. */
async function runSession(
  x: XContext,
  listener: Listener,
  changes: TrackedChanges,
  signal: AbortSignal,
  connected: () => void,
): Promise<never> {
  const ending = new AbortController();
  const session = AbortSignal.any([signal, ending.signal]);
  try {
    await x.budget.check();
    const accounts = changes.current();
    await syncRules(x, accounts, session);
    const stream = await x.api.open(streamPath(x), x.silenceMs, session);
    connected();
    await listener.onGap();
    return await firstToEnd(ending, [
      publishStream(x, listener, stream),
      keepRules(x, listener, changes, new Set(accounts), session),
    ]);
  } finally {
    ending.abort();
  }
}

function streamPath({ settings: { backfillMinutes } }: XContext): string {
  const query = new URLSearchParams(fields);
  if (backfillMinutes) query.set("backfill_minutes", String(backfillMinutes));
  return `/2/tweets/search/stream?${query}`;
}

/** Keeps the rules in step. Polls read what an account posted before it had a rule. */
async function keepRules(
  x: XContext,
  listener: Listener,
  changes: TrackedChanges,
  known: Set<string>,
  signal: AbortSignal,
): Promise<never> {
  for (let previous = known; ; ) {
    await changes.next(signal);
    const accounts = new Set(changes.current());
    await syncRules(x, [...accounts], signal);
    const fresh = [...accounts].filter(account => !previous.has(account));
    if (fresh.length > 0) await listener.onGap(fresh);
    previous = accounts;
    await sleep(x.settings.rulesEveryMs ?? rulesEveryMs, undefined, { signal });
  }
}

/** When one task ends, ends the other; throws the error of the first. */
async function firstToEnd(ending: AbortController, tasks: Promise<never>[]): Promise<never> {
  try {
    return await Promise.race(tasks);
  } finally {
    ending.abort();
    await Promise.allSettled(tasks);
  }
}

/** The tracked accounts, and a way to wait for changes. The creator closes it. */
class TrackedChanges {
  readonly close: () => void;
  readonly #listener: Listener;
  readonly #changes = new EventTarget();
  #count = 0;
  #seen = 0;

  constructor(listener: Listener) {
    this.#listener = listener;
    this.close = listener.onTracked(() => {
      this.#count += 1;
      this.#changes.dispatchEvent(new Event("changed"));
    });
  }

  /** Only ids of X: sources of a network that was configured before may still be tracked. */
  current(): string[] {
    this.#seen = this.#count;
    return this.#listener.tracked().filter(isId);
  }

  /** Resolves after a change that `current` has not returned yet. */
  async next(signal: AbortSignal): Promise<void> {
    while (this.#seen === this.#count) await once(this.#changes, "changed", { signal });
  }
}
