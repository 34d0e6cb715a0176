import type { AppBskyFeedDefs } from "@atproto/api";
import type { Post } from "../../../contracts/connectors.contract.ts";
import type { MicroblogAuthor, MicroblogPost } from "../../../contracts/social.ts";
import { postDate } from "../microblog-format.ts";
import { toAuthor } from "./account.ts";

type PostView = AppBskyFeedDefs.PostView;

/** A post as it was written, without counts. */
export interface WrittenPost {
  uri: string;
  author: MicroblogAuthor;
  record: Record<string, unknown>;
  /** ISO 8601: when the network received it. */
  seenAt: string;
}

/** Posts cannot be edited, so there is one revision. */
export function toPost(post: MicroblogPost): Post {
  return { postId: post.rest_id, revision: "1", type: "microblog.post.created", data: { post } };
}

/** A post as the service shows it, with its counts. */
export function viewToPost({ uri, author, record, indexedAt, ...counts }: PostView): MicroblogPost {
  const post = writtenToPost({ uri, author: toAuthor(author), record, seenAt: indexedAt });
  return {
    ...post,
    legacy: {
      ...post.legacy,
      favorite_count: counts.likeCount ?? null,
      repost_count: counts.repostCount ?? null,
      reply_count: counts.replyCount ?? null,
    },
  };
}

/** A post as its author wrote it; its counts are unknown. */
export function writtenToPost({ uri, author, record, seenAt }: WrittenPost): MicroblogPost {
  return {
    rest_id: uri,
    core: { user_results: { result: author } },
    legacy: {
      full_text: typeof record.text === "string" ? record.text : "",
      created_at: postDate(timeOf(record.createdAt) ?? seenAt),
      favorite_count: null,
      repost_count: null,
      reply_count: null,
    },
  };
}

/**
 * The time by which the service sorts a feed, ISO 8601: the time of the author's client, but never later than when the
 * service received the post.
 */
export function sortTime({ record, indexedAt }: PostView): string {
  const seen = Date.parse(indexedAt);
  return new Date(Math.min(timeOf(record.createdAt) ?? seen, seen)).toISOString();
}

/** Milliseconds; undefined for an invalid time. */
function timeOf(createdAt: unknown): number | undefined {
  const time = typeof createdAt === "string" ? Date.parse(createdAt) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
