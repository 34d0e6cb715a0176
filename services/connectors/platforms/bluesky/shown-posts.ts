import type { AppBskyFeedDefs } from "@atproto/api";
import { sleepUntilAborted } from "../../../../mixins/async/sleep.ts";
import { withTimeout } from "../../../../mixins/async/timeout.ts";
import type { Ask } from "./api.ts";

type PostView = AppBskyFeedDefs.PostView;

/** Posts as the service shows them a moment after they were written: the live connection has no addresses of media. */
export interface ShownPosts {
  /** Throws when the service does not show all of them quickly: all live posts wait for it. */
  get(uris: string[], signal: AbortSignal): Promise<PostView[]>;
}

/** Milliseconds. The service shows a post some hundred milliseconds after the relay tells of it. */
const lookupTimeoutMs = 3000;
const tryEveryMs = 400;
/** After a failure, nothing is looked up for this long. */
const failureCooldownMs = 30_000;

export function showPosts(ask: Ask, now: () => number): ShownPosts {
  let notBefore = 0;
  const find = async (uris: string[], inTime: AbortSignal): Promise<PostView[]> => {
    for (;;) {
      const { posts } = await ask(inTime, (agent, options) => agent.getPosts({ uris }, options));
      if (posts.length >= uris.length) return posts;
      await sleepUntilAborted(tryEveryMs, inTime);
      inTime.throwIfAborted();
    }
  };
  return {
    async get(uris, signal) {
      if (uris.length === 0) return [];
      if (now() < notBefore) throw new Error("The last look-up of a post failed a moment ago.");
      try {
        return await withTimeout(lookupTimeoutMs, signal, inTime => find(uris, inTime));
      } catch (error) {
        notBefore = now() + failureCooldownMs;
        throw error;
      }
    },
  };
}
