import { type Infer, list, named, nullableText, object, orNull, rule, text, time } from "./schema.ts";

/*
 * Shapes of the social platforms, as the interface shows them. A field that a network does not give is null.
 */

const nullableFlag = rule({ type: "boolean", nullable: true });
const nullableCount = rule({
  type: "number",
  integer: true,
  min: 0,
  nullable: true,
  description: "Null where the network gives none.",
});

const accountId = rule({ ...text, description: "Id of the account on its network." });
const displayName = rule({ ...text, description: "Display name." });
const handle = rule({ ...text, description: "Without the @." });
const opened = rule({ ...time, nullable: true, description: "When the account was opened." });
const isProtected = rule({ ...nullableFlag, description: "Its owner approves followers." });

const author = named("Author", { rest_id: accountId, name: displayName, username: handle });
export type MicroblogAuthor = Infer<typeof author>;

/** A picture, a video or a sound of a post. */
export const microblogMedia = named("Media", {
  type: {
    type: "enum",
    values: ["image", "video", "gif", "audio", "unknown"],
    description: "`gif` is a short video without sound that repeats.",
  },
  url: {
    ...nullableText,
    description:
      "Where the file is; of a video of Bluesky its playlist (HLS). Null where the network gives none.",
  },
  preview_url: { ...nullableText, description: "A smaller picture of it." },
  alt: { ...nullableText, description: "What its author says that it shows; null without such a text." },
});
export type MicroblogMedia = Infer<typeof microblogMedia>;

const maybe = rule({ ...text, optional: true });

/** A post or message that another one refers to. */
const otherPost = named("OtherPost", {
  id: { ...text, description: "Its id on its network." },
  url: { ...maybe, description: "Its address." },
  author: { ...maybe, description: "The name of its author: on a microblog the handle, without the @." },
  text: maybe,
});
export type OtherPost = Infer<typeof otherPost>;

const postLink = named("PostLink", {
  url: { ...text, description: "Where it leads." },
  text: {
    ...maybe,
    description: "What the text shows in its place, where that differs: words, or a shortened address.",
  },
});
export type PostLink = Infer<typeof postLink>;

const mention = named("Mention", {
  id: text,
  name: { ...text, description: "Without the @ or the #." },
  url: maybe,
  type: {
    type: "enum",
    values: ["account", "channel", "role"],
    description: "`channel` and `role` are of a chat server.",
  },
});
export type Mention = Infer<typeof mention>;

/** What a post or message is about beside its text. What a network does not say is absent. */
const details = {
  url: { ...maybe, description: "The address of the post or message, where its network has one." },
  links: {
    ...list(postLink),
    optional: true,
    description: "Where its links lead, also those behind words and shortened addresses.",
  },
  card: {
    ...named("PostCard", { url: text, title: maybe, description: maybe, image: maybe }),
    optional: true,
    description: "The preview of a link.",
  },
  quoted: { ...otherPost, optional: true, description: "The post that it quotes." },
  in_reply_to: { ...otherPost, optional: true, description: "The post that it answers." },
  poll: {
    ...named("PostPoll", {
      question: maybe,
      options: list(
        named("PollOption", {
          text,
          votes: { type: "number", integer: true, min: 0, optional: true },
        }),
      ),
      ends_at: { ...time, optional: true, description: "Absent where it has no end." },
      multiple: { type: "boolean", optional: true, description: "Whether one may choose several." },
    }),
    optional: true,
  },
  edited_at: { ...time, optional: true, description: "When it was last edited." },
  mentions: {
    ...list(mention),
    optional: true,
    description: "Whom it names. The text has them as the network writes them.",
  },
} as const;
const postDetails = object(details);
export type PostDetails = Infer<typeof postDetails>;

/** A post of the microblog. Fields beyond these pass through as the network gives them. */
export const microblogPost = named("Post", {
  rest_id: { ...text, description: "Id of the post." },
  core: object({ user_results: object({ result: { ...author, description: "The author." } }) }),
  legacy: object({
    full_text: { ...text, description: "The whole text." },
    created_at: {
      ...nullableText,
      description: "As in `Wed Oct 10 20:19:24 +0000 2018`; null where the network does not give it.",
    },
    favorite_count: nullableCount,
    repost_count: nullableCount,
    reply_count: nullableCount,
  }),
  language: {
    ...nullableText,
    description:
      "BCP 47, for example `en` or `pt-BR`, as the author or the network says. Null where neither does; nothing is guessed.",
  },
  media: { ...list(microblogMedia), description: "What is attached to it, in the author's order." },
  ...details,
});
export type MicroblogPost = Infer<typeof microblogPost>;

/** A microblog account, as tracking answers it. */
export const microblogProfile = named("Account", {
  id: accountId,
  name: displayName,
  username: handle,
  description: { ...nullableText, description: "What the account says of itself." },
  profile_image_url: { ...nullableText, description: "URL of its picture." },
  protected: isProtected,
  verified: { ...nullableFlag, description: "The network has verified the account." },
  followers_count: nullableCount,
  following_count: nullableCount,
  created_at: opened,
});
export type MicroblogProfile = Infer<typeof microblogProfile>;

/** What the microblog says about an account. */
export const microblogAbout = named("AccountAbout", {
  id: accountId,
  name: displayName,
  username: handle,
  created_at: opened,
  about_profile: object({
    account_based_in: { ...nullableText, description: "Country." },
    created_country_accurate: {
      ...nullableFlag,
      description: "Whether the country in which it was opened is certain.",
    },
    location_accurate: { ...nullableFlag, description: "Whether `account_based_in` is certain." },
    source: { ...nullableText, description: "The app or store through which it connects." },
    username_changes: orNull(
      object({
        count: { ...text, description: "A number, as a string." },
        last_changed_at_msec: { ...nullableText, description: "Unix time in milliseconds, as a string." },
      }),
    ),
  }),
  avatar: object({ image_url: { ...nullableText, description: "URL of its picture." } }),
  is_blue_verified: { ...nullableFlag, description: "Premium verification." },
  profile_image_shape: { ...nullableText, description: "As in `Circle`." },
  privacy: object({ protected: isProtected }),
  verification: object({ verified: { ...nullableFlag, description: "Legacy verification." } }),
  verification_info: object({
    is_identity_verified: { ...nullableFlag, description: "The network has verified the identity." },
  }),
});
export type MicroblogAbout = Infer<typeof microblogAbout>;

const attachment = named("Attachment", {
  id: text,
  filename: text,
  url: text,
  contentType: nullableText,
  size: { type: "number", integer: true, nullable: true, description: "Bytes." },
  alt: { ...nullableText, description: "What its author says that it shows." },
});
const embed = named("Embed", {
  title: maybe,
  url: maybe,
  description: { ...maybe, description: "With the platform's Markdown." },
  author: maybe,
  provider: { ...maybe, description: "The site that it shows a page of." },
  fields: { ...list(named("EmbedField", { name: text, value: text })), optional: true },
  image: maybe,
  footer: maybe,
});
export type Embed = Infer<typeof embed>;
const embeds = rule({
  ...list(embed),
  optional: true,
  description: "What bots write, and previews of links.",
});

/** A message of a chat server. */
export const chatMessage = named("ChatMessage", {
  id: text,
  channelId: text,
  guildId: { ...nullableText, description: "The server; null in a channel without one." },
  authorId: text,
  authorName: text,
  content: {
    ...nullableText,
    description:
      "Null where the platform withholds it. Of a message without a text: the text of its embeds, of what it forwards, or the question of its poll.",
  },
  createdAt: time,
  attachments: list(attachment),
  embeds,
  forwarded: {
    ...named("ForwardedMessage", {
      content: text,
      createdAt: time,
      url: { ...maybe, description: "The address of the message that is forwarded." },
      attachments: list(attachment),
      embeds,
    }),
    optional: true,
    description: "The message that it forwards, as it was then.",
  },
  ...details,
});
export type ChatMessage = Infer<typeof chatMessage>;

/** A message of the messenger. */
export const messengerMessage = named("Message", {
  id: { type: "number", integer: true, description: "Unique within its channel." },
  text: { ...text, description: "The text of the message, or the caption of the attachment." },
  date: { type: "number", integer: true, description: "Unix time in seconds." },
  channelId: { ...nullableText, description: "The channel or group." },
  channelTitle: { ...nullableText, description: "Its display name." },
  fromId: { ...nullableText, description: "The author; null for posts of channels." },
  views: nullableCount,
  forwards: nullableCount,
  hasMedia: { type: "boolean", description: "Whether there is an attachment." },
  mediaType: {
    type: "enum",
    values: ["photo", "video", "document", "url"],
    nullable: true,
    description: "`url` is the preview of a link; null without media, and for media of other kinds.",
  },
  ...details,
});
export type MessengerMessage = Infer<typeof messengerMessage>;

export const messengerMessages = object({
  total: { type: "number", integer: true, description: "All matches, as far as the platform counts them." },
  messages: { ...list(messengerMessage), description: "Newest first." },
});
export type MessengerMessages = Infer<typeof messengerMessages>;
