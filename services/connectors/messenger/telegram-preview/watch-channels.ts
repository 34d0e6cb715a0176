import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../../../contracts/errors.ts";
import { insist } from "../../social/insist.ts";
import type { DriverTools, Listener } from "../../social/social-connector.ts";
import type { Pages } from "./fetch-page.ts";
import { Reach } from "./reach.ts";
import { messagesSince } from "./read-channel.ts";

export interface Pace {
  /** Milliseconds between two looks at a channel, at least. */
  intervalMs: number;
  /** Milliseconds between two requests, whatever the channel. */
  spacingMs: number;
  /** Milliseconds for which nothing is answered before that is told as a loss. */
  silenceMs: number;
}

export interface Watch {
  pages: Pages;
  pace: Pace;
  tools: DriverTools;
  listener: Listener;
  /** The last message that was told or seen, by channel; whoever reads a channel to its end writes it down. */
  cursors: Map<string, number>;
}

/**
 * Looks at the tracked channels in turn until the signal fires, since previews tell nothing by themselves. A channel
 * that was not read yet is told as a gap, and looked at once that is read, so that no other request is made for it.
 */
export async function watchChannels(watch: Watch, signal: AbortSignal): Promise<void> {
  const { pace, tools, listener, cursors } = watch;
  const turns = new Turns(listener);
  const rounds = async (stands: () => void) => {
    const reach = new Reach(watch, stands);
    while (!signal.aborted) {
      const begun = tools.now();
      for (const username of cursors.keys()) if (!listener.isTracked(username)) cursors.delete(username);
      for (const username of turns.round()) {
        if (signal.aborted) return;
        if (cursors.has(username) || !reach.isStanding) await look(watch, username, signal);
        await reach.judge(cursors.has(username) ? [] : [username]);
        await pause(pace.spacingMs, signal);
      }
      if (signal.aborted) return;
      await reach.judge([]);
      await pause(begun + pace.intervalMs - tools.now(), signal);
    }
  };
  await insist(rounds, ({ message }) => listener.onLost(message), tools, signal);
}

/** The order of looks: a round goes on where the one before has ended, so that none is starved. */
class Turns {
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

/** A channel that cannot be read is no fault of the others; polls tell of it. */
async function look(
  { pages, tools, listener, cursors }: Watch,
  username: string,
  signal: AbortSignal,
): Promise<void> {
  const known = cursors.get(username);
  try {
    // It only shows whether Telegram answers.
    if (known === undefined) return void (await pages.fetchPage(username, {}, signal));
    const { posts, cursor } = await messagesSince(pages.fetchPage, username, known, signal);
    if (posts.length > 0 && !signal.aborted && listener.isTracked(username))
      await listener.onPosts(username, posts);
    cursors.set(username, Math.max(Number(cursor), cursors.get(username) ?? 0));
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    tools.logger.debug("telegram_preview.not_read", { username, error: String(error) });
  }
}

/** Ends early, without an error, with the signal. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined);
}
