import type { Post } from "../../../contracts/connectors.contract.ts";
import type { MicroblogAuthor, MicroblogMedia, MicroblogPost } from "../../../contracts/social.ts";
import { languageOf, postDate } from "../microblog-format.ts";
import type { XIncludes, XMedia, XPost, XUser } from "./api.ts";

/** A post as the tracker takes it. Edits have the id of the first version, so that they are not published again. */
export function toPost(post: XPost, includes: XIncludes = {}): Post {
  const [firstId = post.id] = post.edit_history_post_ids ?? post.edit_history_tweet_ids ?? [];
  return {
    postId: firstId,
    revision: "1",
    type: "microblog.post.created",
    data: { post: toMicroblogPost(post, includes) },
  };
}

/** A post as the API returns it; long posts are whole. */
export function toMicroblogPost(post: XPost, { users = [], media = [] }: XIncludes = {}): MicroblogPost {
  const { public_metrics: metrics = {}, attachments: { media_keys = [] } = {} } = post;
  return {
    rest_id: post.id,
    core: { user_results: { result: authorOf(post, users) } },
    legacy: {
      full_text: post.note_post?.text ?? post.note_tweet?.text ?? post.text,
      created_at: createdAt(post),
      favorite_count: metrics.like_count ?? null,
      repost_count: metrics.repost_count ?? metrics.retweet_count ?? null,
      reply_count: metrics.reply_count ?? null,
    },
    language: languageOf(post.lang),
    media: media_keys.flatMap(key => media.filter(each => each.media_key === key).map(toMedia)),
  };
}

const mediaTypes = { photo: "image", video: "video", animated_gif: "gif" } as const;

function toMedia({ type, url, preview_image_url, alt_text, variants = [] }: XMedia): MicroblogMedia {
  const files = variants.filter(({ content_type, url: file }) => content_type === "video/mp4" && file);
  const [best] = files.sort((a, b) => (b.bit_rate ?? 0) - (a.bit_rate ?? 0));
  return {
    type: mediaTypes[type as keyof typeof mediaTypes] ?? "unknown",
    url: url ?? best?.url ?? null,
    preview_url: preview_image_url ?? null,
    alt: alt_text || null,
  };
}

/** Names are empty where X no longer shows the author. */
function authorOf({ author_id: id = "" }: XPost, users: XUser[]): MicroblogAuthor {
  const author = users.find(user => user.id === id);
  return { rest_id: id, name: author?.name ?? "", username: author?.username ?? "" };
}

/** Null where X omits it and the id does not contain it. */
function createdAt({ created_at, id }: XPost): string | null {
  const time = created_at ?? timeOfId(id);
  return time === null ? null : postDate(time);
}

/** The first snowflake id, of November 2010; earlier ids were counters. */
const firstSnowflake = 29_700_859_247n;

/** Ids contain their time: milliseconds since the network's epoch, above 22 bits of machine and sequence. */
export function timeOfId(id: string): number | null {
  if (!/^\d{1,20}$/.test(id) || BigInt(id) < firstSnowflake) return null;
  return Number(BigInt(id) >> 22n) + 1_288_834_974_657;
}
