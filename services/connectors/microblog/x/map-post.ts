import type { Post } from "../../../contracts/connectors.contract.ts";
import type { MicroblogAuthor, MicroblogPost } from "../../../contracts/social.ts";
import { postDate } from "../post-date.ts";
import type { XPost, XUser } from "./answers.ts";

/** A post as the tracker takes it. An edit keeps the identity of the post's first version, so it is told no second time. */
export function toPost(post: XPost, users: XUser[] = []): Post {
  const [firstId = post.id] = post.edit_history_post_ids ?? post.edit_history_tweet_ids ?? [];
  return {
    postId: firstId,
    revision: "1",
    type: "microblog.post.created",
    data: { post: toMicroblogPost(post, users) },
  };
}

/** A post as the interface shows it; long posts whole. */
export function toMicroblogPost(post: XPost, users: XUser[] = []): MicroblogPost {
  const { public_metrics: metrics = {} } = post;
  return {
    rest_id: post.id,
    core: { user_results: { result: authorOf(post, users) } },
    legacy: {
      full_text: post.note_post?.text ?? post.note_tweet?.text ?? post.text,
      created_at: postDate(post.created_at ?? timeOfId(post.id)),
      favorite_count: metrics.like_count ?? null,
      repost_count: metrics.repost_count ?? metrics.retweet_count ?? null,
      reply_count: metrics.reply_count ?? null,
    },
  };
}

/** Names are empty where X shows the author no more. */
function authorOf({ author_id: id = "" }: XPost, users: XUser[]): MicroblogAuthor {
  const author = users.find(user => user.id === id);
  return { rest_id: id, name: author?.name ?? "", username: author?.username ?? "" };
}

/** Ids carry their time: milliseconds since the network's epoch, above 22 bits of machine and sequence. */
function timeOfId(id: string): number {
  return Number(BigInt(id) >> 22n) + 1_288_834_974_657;
}
