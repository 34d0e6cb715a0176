import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import { codeOf } from "../../contracts/errors.ts";
import type { FeedDigest } from "../../domain/feed/digest-feed.ts";
import type { FeedMemory } from "../../domain/feed/feed-memory.ts";
import type { ConnectorTools } from "../connector.ts";

/** A feed and where it was found. */
export interface FoundFeed {
  document: FetchedDocument;
  digest: Extract<FeedDigest, { ok: true }>;
  /** It names a new address without a feed so far. The next poll tries again, even if the document is the same. */
  isLeaving?: true;
}

/**
 * The feed at the address that it names as its new one (`itunes:new-feed-url`, of the podcast namespace), which counts
 * as a permanent redirect. It is followed only when the feed there names no other address: two feeds that name each
 * other would otherwise swap for ever.
 */
export async function followMove(
  found: FoundFeed,
  { fetchDocument, readFeed }: ConnectorTools,
  memory?: FeedMemory,
): Promise<FoundFeed> {
  const { document, digest } = found;
  const { newUrl } = digest.feed;
  if (newUrl === undefined || newUrl === document.url || newUrl === document.canonicalUrl) return found;
  const there = await fetchDocument(newUrl).catch(orNone);
  if (there === undefined || there.status < 200 || there.status > 299) return { ...found, isLeaving: true };
  const read = await readFeed(there, memory);
  if (!read.ok) return { ...found, isLeaving: true };
  const isLast = [undefined, newUrl, there.url, there.canonicalUrl].includes(read.feed.newUrl);
  return isLast ? { document: there, digest: read } : found;
}

// An address that cannot be reached is no reason to lose the feed at the old one.
export function orNone(error: unknown): undefined {
  if (codeOf(error) === undefined) throw error;
}
