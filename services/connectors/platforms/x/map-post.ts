import type { Post } from "../../../contracts/connectors.contract.ts";
import type { MicroblogAuthor, MicroblogPost } from "../../../contracts/social.ts";
import { postDate } from "../microblog-format.ts";
import type { XPost, XUser } from "./api.ts";

/** A post as the tracker takes it. Edits have the id of the first version, so that they are not published again. */
export function toPost(post: XPost, users: XUser[] = []): Post {
  const [firstId = post.id] = post.edit_history_post_ids ?? post.edit_history_tweet_ids ?? [];
  return {
    postId: firstId,
    revision: "1",
    type: "microblog.post.created",
    data: { post: toMicroblogPost(post, users) },
  };
}

/** A post as the API returns it; long posts are whole. */
export function toMicroblogPost(post: XPost, users: XUser[] = []): MicroblogPost {
  const { public_metrics: metrics = {} } = post;
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
function timeOfId(id: string): number | null {
  if (!/^\d{1,20}$/.test(id) || BigInt(id) < firstSnowflake) return null;
  return Number(BigInt(id) >> 22n) + 1_288_834_974_657;
}
