import type { PostView } from "@atcute/bluesky/types/app/feed/defs";
import type { Post } from "../../../contracts/connectors.contract.ts";
import type { MicroblogAuthor, MicroblogMedia, MicroblogPost } from "../../../contracts/social.ts";
import { languageOf, postDate } from "../microblog-format.ts";
import { toAuthor } from "./account.ts";

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
export function viewToPost({ uri, author, record, indexedAt, embed, ...counts }: PostView): MicroblogPost {
  const post = writtenToPost({ uri, author: toAuthor(author), record: fieldsOf(record), seenAt: indexedAt });
  return {
    ...post,
    media: mediaOf(embed),
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
    language: languageOf([record.langs].flat()[0]),
    media: [],
  };
}

/** Whether a post has media, which are files of the author's server until the service gives them addresses. */
export function hasMedia({ embed }: Record<string, unknown>): boolean {
  const { $type = "", media } = Object(embed) as { $type?: string; media?: { $type?: string } };
  return [$type, media?.$type ?? ""].some(type => /^app\.bsky\.embed\.(?:images|video|gallery)$/.test(type));
}

/** The media of a post as the service shows it, also beside a quoted post. */
function mediaOf(embed: PostView["embed"]): MicroblogMedia[] {
  if (embed?.$type === "app.bsky.embed.recordWithMedia#view") return mediaOf(embed.media);
  if (embed?.$type === "app.bsky.embed.images#view")
    return embed.images.map(({ fullsize: url, thumb: preview_url, alt }) => {
      return { type: "image", url, preview_url, alt: alt || null };
    });
  if (embed?.$type !== "app.bsky.embed.video#view") return [];
  const { playlist, thumbnail, alt, presentation } = embed;
  const type = presentation === "gif" ? "gif" : "video";
  return [{ type, url: playlist, preview_url: thumbnail ?? null, alt: alt || null }];
}

/**
 * The time by which the service sorts a feed, ISO 8601: the time of the author's client, but never later than when the
 * service received the post.
 */
export function sortTime({ record, indexedAt }: PostView): string {
  const seen = Date.parse(indexedAt);
  return new Date(Math.min(timeOf(fieldsOf(record).createdAt) ?? seen, seen)).toISOString();
}

/** A record is what its author's program wrote. */
function fieldsOf(record: unknown): Record<string, unknown> {
  return Object(record);
}

/** Milliseconds; undefined for an invalid time. */
function timeOf(createdAt: unknown): number | undefined {
  const time = typeof createdAt === "string" ? Date.parse(createdAt) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
