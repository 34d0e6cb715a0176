import { within } from "../../../mixins/deadline/within.ts";
import { openThreads } from "../../../mixins/threads/threads.ts";
import { fail } from "../../contracts/errors.ts";
import { digestFeed, type FeedDigest, type FeedDocument } from "../../domain/feed/digest-feed.ts";
import type { FeedTasks } from "./feed.worker.ts";

/** Reads feeds: small ones here and now, others in a thread. */
export interface FeedReader {
  /** Throws `upstream_error` for a feed that needs more time or memory than it may have; `closing` ends it at once. */
  read(document: FeedDocument, closing: AbortSignal): Promise<FeedDigest>;
  close(): Promise<void>;
}

/**
 * Bytes that take no longer to read than it takes to ask a thread. More goes there even when it is small: polls then
 * leave the time of this thread to deliveries. Nor could it be much more, since feedsmith takes the square of the length
 * for some texts.
 */
const smallSize = 1024;
const readTimeoutMs = 10_000;

export function openFeedReader(timeoutMs = readTimeoutMs): FeedReader {
  const threads = openThreads<FeedTasks>({
    program: new URL("feed.worker.ts", import.meta.url),
    maxThreads: 2,
    maxWaiting: 64,
    memoryMb: 512,
    sentences: {
      tooLarge: "The feed is too large to be read.",
      busy: "Too many feeds are being read. Try again soon.",
    },
  });
  return {
    read: async (document, closing) => {
      if (document.body.length <= smallSize) return digestFeed(document);
      return await within(timeoutMs, closing, async signal => {
        try {
          return await threads.run("digestFeed", document, signal);
        } catch (error) {
          throw signal.aborted && !closing.aborted ? tooSlow(error) : error;
        }
      });
    },
    close: () => threads.close(),
  };
}

function tooSlow(cause: unknown): Error {
  return fail("upstream_error", "The feed takes too long to be read.", {}, cause);
}
