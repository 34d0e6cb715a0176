import type { mastodon } from "masto";
import { parseHtml } from "../../../../reader/html/parse-html.ts";
import { plainText } from "../../../../reader/html/plain-text.ts";
import type { Post } from "../../../contracts/connectors.contract.ts";
import type { MicroblogMedia, MicroblogPost } from "../../../contracts/social.ts";
import { languageOf, postDate } from "../microblog-format.ts";
import { toAuthor } from "./account.ts";

type Status = mastodon.v1.Status;
type Attachment = mastodon.v1.MediaAttachment;

/** Whether a status is its author's own post to all followers: neither a reblog nor a direct message. */
export function isPost({ reblog, visibility }: Status): boolean {
  return !reblog && visibility !== "direct";
}

/** A status as an event carries it. Edits are not published, so there is one revision. */
export function toPost(status: Status): Post {
  return {
    postId: status.id,
    revision: "1",
    type: "microblog.post.created",
    data: { post: toMicroblogPost(status) },
  };
}

/** A content warning becomes the first line of the text. */
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
    language: languageOf(status.language),
    // Servers other than Mastodon may leave the list out.
    media: (status.mediaAttachments ?? []).map(toMedia),
  };
}

function toMedia({ type, url, remoteUrl, previewUrl, description }: Attachment): MicroblogMedia {
  return {
    type: type === "gifv" ? "gif" : type,
    url: url ?? remoteUrl ?? null,
    preview_url: previewUrl ?? null,
    alt: description || null,
  };
}
