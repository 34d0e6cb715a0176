import type { mastodon } from "masto";
import { parseHtml } from "../../../../reader/html/parse-html.ts";
import { plainText } from "../../../../reader/html/plain-text.ts";
import { type ElementNode, isText } from "../../../../reader/html/tree.ts";
import type { Post } from "../../../contracts/connectors.contract.ts";
import type {
  MicroblogMedia,
  MicroblogPost,
  OtherPost,
  PostDetails,
  PostLink,
} from "../../../contracts/social.ts";
import { languageOf, postDate } from "../microblog-format.ts";
import { detailsOf, known } from "../post-details.ts";
import { toAuthor } from "./account.ts";

type Status = mastodon.v1.Status;
type Attachment = mastodon.v1.MediaAttachment;

/** Whether a status is its author's own post to all followers: neither a reblog nor a direct message. */
export function isPost({ reblog, visibility }: Status): boolean {
  return !reblog && visibility !== "direct";
}

/** A status as an event carries it. */
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
  const content = parseHtml(status.content);
  const text = plainText(content);
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
    ...toDetails(status, content),
  };
}

function toDetails(status: Status, content: ElementNode): PostDetails {
  const { url, uri, card, poll, mentions, editedAt } = status;
  return detailsOf({
    url: url ?? uri,
    links: linksIn(content),
    card: card && {
      url: card.url,
      ...known({ title: card.title, description: card.description, image: card.image }),
    },
    quoted: quotedBy(status),
    in_reply_to: answeredBy(status),
    poll: poll && {
      options: poll.options.map(({ title, votesCount }) => ({
        text: title,
        ...known({ votes: votesCount }),
      })),
      multiple: poll.multiple,
      ...known({ ends_at: poll.expiresAt }),
    },
    edited_at: editedAt && new Date(editedAt).toISOString(),
    mentions: mentions?.map(({ id, acct, url: profile }) => {
      return { id, name: acct, type: "account", ...known({ url: profile }) };
    }),
  });
}

/** Links of a text, but for mentions and hashtags, with what Mastodon shows of them. */
function linksIn(element: ElementNode): PostLink[] {
  return element.childNodes.flatMap(child => {
    if (isText(child)) return [];
    const url = child.name === "a" ? child.attributes.get("href") : undefined;
    if (url === undefined) return linksIn(child);
    if (isOfClass(child, "mention") || isOfClass(child, "hashtag")) return [];
    return [{ url, text: shownText(child).trim() }];
  });
}

/** Without what Mastodon hides of a long address, and with the dots that it shows in its place. */
function shownText(element: ElementNode): string {
  const words = element.childNodes.map(child => {
    if (isText(child)) return child.text;
    return isOfClass(child, "invisible") ? "" : shownText(child);
  });
  return words.join("") + (isOfClass(element, "ellipsis") ? "…" : "");
}

function isOfClass({ attributes }: ElementNode, name: string): boolean {
  return (attributes.get("class") ?? "").split(/\s+/).includes(name);
}

/** Whole for a quote that its author allows; of others the id at most. */
function quotedBy({ quote }: Status): OtherPost | undefined {
  if (quote?.state !== "accepted") return undefined;
  if (!("quotedStatus" in quote) || !quote.quotedStatus)
    return "quotedStatusId" in quote && quote.quotedStatusId ? { id: quote.quotedStatusId } : undefined;
  const { id, url, uri, account, content } = quote.quotedStatus;
  const text = plainText(parseHtml(content));
  return known<OtherPost>({ id, url: url ?? uri, author: account.acct, text });
}

/** The status says the id of what it answers, and whose it is. */
function answeredBy({ inReplyToId, inReplyToAccountId, account, mentions }: Status): OtherPost | undefined {
  if (!inReplyToId) return undefined;
  const all = [account, ...(mentions ?? [])];
  return known<OtherPost>({ id: inReplyToId, author: all.find(({ id }) => id === inReplyToAccountId)?.acct });
}

function toMedia({ type, url, remoteUrl, previewUrl, description }: Attachment): MicroblogMedia {
  return {
    type: type === "gifv" ? "gif" : type,
    url: url ?? remoteUrl ?? null,
    preview_url: previewUrl ?? null,
    alt: description || null,
  };
}
