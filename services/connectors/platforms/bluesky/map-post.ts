import type { FeedViewPost, PostView } from "@atcute/bluesky/types/app/feed/defs";
import type { Post } from "../../../contracts/connectors.contract.ts";
import type {
  MicroblogAuthor,
  MicroblogMedia,
  MicroblogPost,
  OtherPost,
  PostDetails,
} from "../../../contracts/social.ts";
import { languageOf, postDate } from "../microblog-format.ts";
import { detailsOf, known } from "../post-details.ts";
import { toAuthor } from "./account.ts";
import { readText } from "./read-text.ts";
import { isPostUri } from "./sid.ts";

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

/** A post as the service shows it, with its counts; in a feed beside the post that it answers. */
export function viewToPost(
  { uri, author, record, indexedAt, embed, ...counts }: PostView,
  reply?: FeedViewPost["reply"],
): MicroblogPost {
  const post = writtenToPost({ uri, author: toAuthor(author), record: fieldsOf(record), seenAt: indexedAt });
  const { in_reply_to } = post;
  const answered = in_reply_to && { ...in_reply_to, ...shownPost(reply?.parent) };
  return {
    ...post,
    ...known<PostDetails>({ card: cardOf(embed), quoted: quotedIn(embed), in_reply_to: answered }),
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
    ...writtenDetails(uri, record),
  };
}

/** What the author's program wrote of a post beside its text. */
function writtenDetails(uri: string, record: Record<string, unknown>): PostDetails {
  const { links, mentions } = readText(record);
  const { external, quoted } = embedsOf(record);
  const { parent } = fieldsOf(record.reply);
  return detailsOf({
    url: addressOf(uri),
    links: external ? [...links, { url: external.uri }] : links,
    card: external && toCard({ ...external, thumb: undefined }),
    quoted: quoted === undefined ? undefined : otherPost(quoted),
    in_reply_to: otherPost(fieldsOf(parent).uri),
    mentions,
  });
}

interface External {
  uri: string;
  title?: unknown;
  description?: unknown;
  thumb?: unknown;
}

/** The link card of a record and the address of what it quotes; `hasFiles` where the service gives files addresses. */
function embedsOf({ embed }: Record<string, unknown>): {
  external?: External;
  quoted?: string;
  hasFiles: boolean;
} {
  const outer = fieldsOf(embed);
  const all = [outer, fieldsOf(outer.media)];
  const ofType = (type: RegExp) => all.find(({ $type }) => typeof $type === "string" && type.test($type));
  const external = fieldsOf(ofType(/^app\.bsky\.embed\.external$/)?.external);
  // A quote beside media has its reference one level deeper.
  const record = fieldsOf(outer.record);
  const { uri } = "record" in record ? fieldsOf(record.record) : record;
  return {
    ...(typeof external.uri === "string" && { external: { ...external, uri: external.uri } }),
    ...(typeof uri === "string" && isPostUri(uri) && { quoted: uri }),
    hasFiles: ofType(/^app\.bsky\.embed\.(?:images|video|gallery)$/) !== undefined || "thumb" in external,
  };
}

/**
 * Whether the service shows more of a post than its author wrote: the addresses of its files, and what the quoted post
 * says.
 */
export function isShownInFull(record: Record<string, unknown>): boolean {
  const { quoted, hasFiles } = embedsOf(record);
  return hasFiles || quoted !== undefined;
}

/** The page of a post on the web; every post of the network is there. */
function addressOf(uri: string): string | undefined {
  const [, did, key] = /^at:\/\/([^/]+)\/app\.bsky\.feed\.post\/([^/]+)$/.exec(uri) ?? [];
  return did && key ? `https://bsky.app/profile/${did}/post/${key}` : undefined;
}

function otherPost(uri: unknown): OtherPost | undefined {
  if (typeof uri !== "string" || !isPostUri(uri)) return undefined;
  return known<OtherPost>({ id: uri, url: addressOf(uri) });
}

/** What the service shows of another post; it shows no text of one that is deleted or blocked. */
function shownPost(view: unknown): OtherPost | undefined {
  const { uri, author, record, value } = fieldsOf(view);
  const { handle } = fieldsOf(author);
  const { text } = fieldsOf(record ?? value);
  const post = otherPost(uri);
  return (
    post &&
    known<OtherPost>({
      ...post,
      author: typeof handle === "string" ? handle : undefined,
      text: typeof text === "string" ? text : undefined,
    })
  );
}

function quotedIn(embed: PostView["embed"]): OtherPost | undefined {
  if (embed?.$type === "app.bsky.embed.record#view") return shownPost(embed.record);
  if (embed?.$type === "app.bsky.embed.recordWithMedia#view") return shownPost(fieldsOf(embed.record).record);
  return undefined;
}

function cardOf(embed: PostView["embed"]): PostDetails["card"] {
  if (embed?.$type === "app.bsky.embed.recordWithMedia#view") return cardOf(embed.media);
  if (embed?.$type !== "app.bsky.embed.external#view") return undefined;
  return detailsOf({ card: toCard(fieldsOf(embed.external) as unknown as External) }).card;
}

function toCard({ uri, title, description, thumb }: External): NonNullable<PostDetails["card"]> {
  const words = (value: unknown) => (typeof value === "string" ? value : undefined);
  const told = { title: words(title), description: words(description), image: words(thumb) };
  return { url: uri, ...known<{ title?: string; description?: string; image?: string }>(told) };
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
