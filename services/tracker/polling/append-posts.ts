import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { TrackerContext, TrackerStores } from "../context.ts";
import type { StoredSource } from "../sources.store.ts";
import { eventWords } from "./event-words.ts";
import { bodyIdOf, postEvents, type ToldPost } from "./source-events.ts";

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
  const slice = sliceFor(keyIds);
  for (let at = 0; at < posts.length; at += slice) {
    if (at > 0) await yieldToLoop();
    const events = postEvents(source, keyIds, posts.slice(at, at + slice), context.now());
    await context.log.append(events, until);
    const words = eventWords(source, events);
    if (words.length > 0) await context.history.addEvents(words);
  }
}

/** Which of the keys have each post already; as much at a time as an append writes. */
export async function holdersOf(
  { log }: Pick<TrackerContext, "log">,
  sourceId: string,
  keyIds: string[],
  posts: Pick<ToldPost, "postId" | "revision">[],
): Promise<string[][]> {
  const slice = sliceFor(keyIds);
  const holders: string[][] = [];
  for (let at = 0; at < posts.length; at += slice) {
    if (at > 0) await yieldToLoop();
    const bodyIds = posts.slice(at, at + slice).map(post => bodyIdOf(sourceId, post));
    holders.push(...(await log.holders(bodyIds, keyIds)));
  }
  return holders;
}

function sliceFor(keyIds: string[]): number {
  return Math.max(1, Math.floor(referencesPerSlice / Math.max(keyIds.length, 1)));
}

export async function subscribers({ subscriptions }: TrackerStores, sourceId: string): Promise<string[]> {
  return (await subscriptions.find({ query: { sourceId } })).map(({ keyId }) => keyId);
}
