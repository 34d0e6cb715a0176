import type { mastodon } from "masto";
import type { Post } from "../../../contracts/connectors.contract.ts";
import type { MicroblogPost } from "../../../contracts/social.ts";
import { parseHtml } from "../../../domain/extract/parse-html.ts";
import { plainText } from "../../../domain/extract/plain-text.ts";
import { postDate } from "../post-date.ts";
import { toAuthor } from "./map-account.ts";

type Status = mastodon.v1.Status;

/** Whether a status is a post of its author for all who follow: no reblog, and no message to single people. */
export function isPost({ reblog, visibility }: Status): boolean {
  return !reblog && visibility !== "direct";
}

/** A status as an event carries it. Edits are not told, so that there is one revision. */
export function toPost(status: Status): Post {
  return {
    postId: status.id,
    revision: "1",
    type: "microblog.post.created",
    data: { post: toMicroblogPost(status) },
  };
}

/** A content warning is the first line of the text. */
export function toMicroblogPost(status: Status): MicroblogPost {
  const text = plainText(parseHtml(status.content));
  return {
    rest_id: status.id,
    core: { user_results: { result: toAuthor(status.account) } },
    legacy: {
      full_text: [status.spoilerText, text].filter(part => part !== "").join("\n"),
      created_at: postDate(status.createdAt),
      favorite_count: status.favouritesCount,
      repost_count: status.reblogsCount,
      reply_count: status.repliesCount,
    },
  };
}
