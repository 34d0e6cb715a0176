import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { TrackerContext, TrackerStores } from "../context.ts";
import type { StoredSource } from "../sources.store.ts";
import { eventWords } from "./event-words.ts";
import { postEvents, type ToldPost } from "./source-events.ts";

/** About how many references one append writes; it blocks the process for some tens of milliseconds. */
const referencesPerSlice = 2000;

/** Appends posts in slices; refuses after `until` (ms), the end of the lease. */
export async function appendPosts(
  context: TrackerContext,
  source: StoredSource,
  keyIds: string[],
  posts: ToldPost[],
  until?: number,
): Promise<void> {
  const slice = Math.max(1, Math.floor(referencesPerSlice / Math.max(keyIds.length, 1)));
  for (let at = 0; at < posts.length; at += slice) {
    if (at > 0) await yieldToLoop();
    const events = postEvents(source, keyIds, posts.slice(at, at + slice), context.now());
    await context.log.append(events, until);
    const words = eventWords(source, events);
    if (words.length > 0) await context.history.addEvents(words);
  }
}

export async function subscribers({ subscriptions }: TrackerStores, sourceId: string): Promise<string[]> {
  return (await subscriptions.find({ query: { sourceId } })).map(({ keyId }) => keyId);
}
