import { sleepUntilAborted } from "../../../../mixins/async/sleep.ts";
import { logEvent } from "../../../../mixins/log/log-events.ts";
import { codeOf, fail } from "../../../contracts/errors.ts";
import { retryUntilStopped } from "../../social/retry-until-stopped.ts";
import type { DriverTools, Listener } from "../../social/social-connector.ts";
import type { PreviewApi } from "./api.ts";
import { readSince } from "./read-posts.ts";

export interface Pace {
  /** Milliseconds between two reads of a channel, at least. */
  intervalMs: number;
  /** Milliseconds between two requests, whatever the channel. */
  spacingMs: number;
  /** Milliseconds without an answer after which the connection counts as lost. */
  silenceMs: number;
}

interface Watch {
  pages: PreviewApi;
  pace: Pace;
  tools: DriverTools;
  listener: Listener;
  /** The last message seen, by channel; set by every read that reaches the end of a channel. */
  cursors: Map<string, number>;
}

/**
 * Reads the tracked channels one after the other until the signal fires, since previews push nothing. A channel that was not read yet
 * is reported as a gap, and included once a poll has read it, so that it costs no extra request.
 */
export async function listen(watch: Watch, signal: AbortSignal): Promise<void> {
  const { pace, tools, listener, cursors } = watch;
  const order = new RoundRobin(listener);
  const rounds = async (connected: () => void) => {
    const reach = new Reachability(watch, connected);
    while (!signal.aborted) {
      const begun = tools.now();
      for (const username of cursors.keys()) if (!listener.isTracked(username)) cursors.delete(username);
      for (const username of order.round()) {
        if (signal.aborted) return;
        if (cursors.has(username) || !reach.isReachable) await pollChannel(watch, username, signal);
        await reach.update(cursors.has(username) ? [] : [username]);
        await pause(pace.spacingMs, signal);
      }
      if (signal.aborted) return;
      await reach.update([]);
      await pause(begun + pace.intervalMs - tools.now(), signal);
    }
  };
  await retryUntilStopped(rounds, ({ message }) => listener.onLost(message), tools, signal);
}

/** The order of reads: a round starts where the last one ended, so that no channel starves. */
class RoundRobin {
  readonly #listener: Listener;
  #last: string | undefined;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  *round(): Generator<string> {
    const tracked = this.#listener.tracked();
    const start = this.#last === undefined ? 0 : tracked.indexOf(this.#last) + 1;
    for (const username of [...tracked.slice(start), ...tracked.slice(0, start)]) {
      this.#last = username;
      yield username;
    }
  }
}

/** Reads one channel. A channel that cannot be read does not affect the others; its polls report it. */
async function pollChannel(
  { pages, tools, listener, cursors }: Watch,
  username: string,
  signal: AbortSignal,
): Promise<void> {
  const known = cursors.get(username);
  try {
    // This request only checks whether Telegram answers.
    if (known === undefined) return void (await pages.fetchPage(username, {}, signal));
    const { posts, cursor } = await readSince(pages.fetchPage, username, known, signal);
    if (posts.length > 0 && !signal.aborted && listener.isTracked(username))
      await listener.onPosts(username, posts);
    cursors.set(username, Math.max(Number(cursor), cursors.get(username) ?? 0));
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    logEvent(tools.logger, "telegram_preview.failed", { username, error: String(error) });
  }
}

/** Ends early, without an error, when the signal fires. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleepUntilAborted(ms, signal);
}

/** Whether Telegram answers at all: one channel that cannot be read says nothing about the others. */
class Reachability {
  readonly #watch: Omit<Watch, "cursors">;
  readonly #connected: () => void;
  isReachable = false;
  #lastCounts: PreviewApi["counts"];
  #lastAnswerAt: number;

  constructor(watch: Omit<Watch, "cursors">, connected: () => void) {
    this.#watch = watch;
    this.#connected = connected;
    this.#lastCounts = { ...watch.pages.counts };
    this.#lastAnswerAt = watch.tools.now();
  }

  /**
   * Reports the connection as open after the first answer, or when no channel is tracked, and channels to poll from then
   * on. Throws when Telegram has not answered for too long.
   */
  async update(unread: string[]): Promise<void> {
    const { pages, pace, tools, listener } = this.#watch;
    const { answers, failures } = pages.counts;
    const isAnswered = answers > this.#lastCounts.answers;
    if (isAnswered) [this.#lastCounts, this.#lastAnswerAt] = [{ answers, failures }, tools.now()];
    else if (failures > this.#lastCounts.failures && tools.now() - this.#lastAnswerAt >= pace.silenceMs)
      throw fail("connector_unavailable", "Telegram cannot be reached now.");
    const begins = !this.isReachable && (isAnswered || listener.tracked().length === 0);
    if (begins) this.#connected();
    this.isReachable ||= begins;
    if (begins || (this.isReachable && unread.length > 0)) await listener.onGap(unread);
  }
}
