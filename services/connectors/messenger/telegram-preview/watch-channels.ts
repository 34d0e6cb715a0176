import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../../../contracts/errors.ts";
import { insist } from "../../social/insist.ts";
import type { DriverTools, Listener } from "../../social/social-connector.ts";
import type { FetchPage } from "./fetch-page.ts";
import { messagesSince, newestOf } from "./read-channel.ts";

export interface Pace {
  /** Milliseconds between two looks at a channel, at least. */
  intervalMs: number;
  /** Milliseconds between two requests, whatever the channel. */
  spacingMs: number;
}

interface Watch {
  fetchPage: FetchPage;
  pace: Pace;
  tools: DriverTools;
  listener: Listener;
  /** The last message that was told or seen, by channel. */
  cursors: Map<string, number>;
}

/**
 * Looks at the tracked channels in turn until the signal fires, since previews tell nothing by themselves. The first
 * look at a channel finds where it stands; what was sent before that is for `since`, so it is told as a gap.
 */
export async function watchChannels(watch: Omit<Watch, "cursors">, signal: AbortSignal): Promise<void> {
  const { pace, tools, listener } = watch;
  const round: Watch = { ...watch, cursors: new Map() };
  const rounds = async (stands: () => void) => {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const begun = tools.now();
      const begins = await lookAtAll(round, signal);
      if (signal.aborted) return;
      if (isFirst) stands();
      if (isFirst || begins.length > 0) await listener.onGap(isFirst ? undefined : begins);
      await pause(begun + pace.intervalMs - tools.now(), signal);
    }
  };
  await insist(rounds, ({ message }) => listener.onLost(message), tools, signal);
}

/** Names the channels that were looked at for the first time. */
async function lookAtAll(watch: Watch, signal: AbortSignal): Promise<string[]> {
  const { pace, listener, cursors } = watch;
  for (const username of cursors.keys()) if (!listener.isTracked(username)) cursors.delete(username);
  const begins: string[] = [];
  for (const username of listener.tracked()) {
    if (signal.aborted) break;
    if (!cursors.has(username)) begins.push(username);
    await look(watch, username, signal);
    await pause(pace.spacingMs, signal);
  }
  return begins;
}

/** A channel that cannot be read is no fault of the others; polls tell of it. */
async function look(
  { fetchPage, tools, listener, cursors }: Watch,
  username: string,
  signal: AbortSignal,
): Promise<void> {
  const known = cursors.get(username);
  try {
    if (known === undefined) {
      cursors.set(username, newestOf(await fetchPage(username, {}, signal)));
      return;
    }
    const { posts, cursor } = await messagesSince(fetchPage, username, known, signal);
    if (posts.length > 0 && !signal.aborted && listener.isTracked(username))
      await listener.onPosts(username, posts);
    cursors.set(username, Number(cursor));
  } catch (error) {
    if (codeOf(error) !== "not_found") throw error;
    tools.logger.debug("telegram_preview.not_read", { username, error: String(error) });
  }
}

/** Ends early, without an error, with the signal. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined);
}
