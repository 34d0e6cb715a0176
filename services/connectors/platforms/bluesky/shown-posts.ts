import type { PostView } from "@atcute/bluesky/types/app/feed/defs";
import * as getPosts from "@atcute/bluesky/types/app/feed/getPosts";
import { ok } from "@atcute/client";
import type { ResourceUri } from "@atcute/lexicons";
import { sleepUntilAborted } from "../../../../mixins/async/sleep.ts";
import { withTimeout } from "../../../../mixins/async/timeout.ts";
import type { Ask } from "./api.ts";

/** Posts as the service shows them a moment after they were written: the live connection has no addresses of media. */
export interface ShownPosts {
  /** Throws when the service does not show all of them quickly: all live posts wait for it. */
  get(uris: string[], signal: AbortSignal): Promise<PostView[]>;
}

/** The posts that the service shows. */
export async function askForPosts(ask: Ask, uris: string[], signal: AbortSignal): Promise<PostView[]> {
  const params = { uris: uris as ResourceUri[] };
  const { posts } = await ask(signal, (client, options) => ok(client.call(getPosts, { params, ...options })));
  return posts;
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
      const posts = await askForPosts(ask, uris, inTime);
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
