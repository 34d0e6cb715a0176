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
import type { XEntities, XIncludes, XMedia, XPoll, XPost, XUser } from "./api.ts";

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
export function toMicroblogPost(post: XPost, includes: XIncludes = {}): MicroblogPost {
  const { users = [], media = [], polls = [] } = includes;
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
    ...toDetails(post, authorOf(post, users), polls),
  };
}

function toDetails(post: XPost, { username }: MicroblogAuthor, polls: XPoll[]): PostDetails {
  const { urls = [], mentions = [] } = entitiesOf(post);
  const shown = urls.filter(({ media_key }) => media_key === undefined);
  const [previewed] = shown.filter(({ title }) => title);
  return detailsOf({
    url: addressOf({ id: post.id, author: username }),
    links: shown.map(({ url, ...target }) => ({ url: targetOf({ url, ...target }), text: url })),
    card: previewed && {
      url: targetOf(previewed),
      ...known({
        title: previewed.title,
        description: previewed.description,
        image: previewed.images?.[0]?.url,
      }),
    },
    quoted: quotedBy(post, shown),
    in_reply_to: answeredBy(post, mentions),
    poll: pollOf(polls.find(({ id }) => post.attachments?.poll_ids?.includes(id))),
    mentions: mentions.map(({ id, username: name }) => {
      return { id: id ?? name, name, url: `https://x.com/${name}`, type: "account" };
    }),
  });
}

/** Those of the whole text. */
function entitiesOf({ note_post, note_tweet, entities = {} }: XPost): XEntities {
  return note_post?.entities ?? note_tweet?.entities ?? entities;
}

type XUrl = NonNullable<XEntities["urls"]>[number];

function targetOf({ url, expanded_url, unwound_url }: XUrl): string {
  return unwound_url ?? expanded_url ?? url;
}

/** X shows a post at any name before its id. */
function addressOf({ id, author }: Pick<OtherPost, "id" | "author">): string {
  return `https://x.com/${author || "i"}/status/${id}`;
}

function referenceOf({ referenced_posts, referenced_tweets }: XPost, wanted: string): string | undefined {
  return (referenced_posts ?? referenced_tweets)?.find(({ type }) => type === wanted)?.id;
}

/** The text of a post that quotes another one ends with its address, which says whose it is. */
function quotedBy(post: XPost, urls: XUrl[]): OtherPost | undefined {
  const linked = urls.flatMap(({ expanded_url = "" }) => {
    const [, author, id] =
      /^https:\/\/(?:twitter|x)\.com\/(\w{1,15})\/status\/(\d{1,19})$/.exec(expanded_url) ?? [];
    return author && id ? [{ id, author, url: addressOf({ id, author }) }] : [];
  });
  const id = referenceOf(post, "quoted");
  const hasReferences = (post.referenced_posts ?? post.referenced_tweets) !== undefined;
  if (id === undefined) return hasReferences ? undefined : linked.at(-1);
  return linked.find(each => each.id === id) ?? { id, url: addressOf({ id }) };
}

function answeredBy(post: XPost, mentions: NonNullable<XEntities["mentions"]>): OtherPost | undefined {
  const id = referenceOf(post, "replied_to");
  if (id === undefined) return undefined;
  const author = mentions.find(mention => mention.id === post.in_reply_to_user_id)?.username;
  return { id, url: addressOf(known({ id, author })), ...known({ author }) };
}

function pollOf(poll: XPoll | undefined): PostDetails["poll"] {
  if (!poll?.options) return undefined;
  const inOrder = poll.options.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
  const options = inOrder.map(({ label, votes }) => ({ text: label, ...known({ votes }) }));
  return { options, multiple: false, ...known({ ends_at: poll.end_datetime }) };
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
