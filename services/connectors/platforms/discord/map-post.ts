import {
  type APIAttachment,
  type APIEmbed,
  type APIMessage,
  type APIPoll,
  MessageReferenceType,
  MessageType,
} from "@discordjs/core/http-only";
import type { Post } from "../../../contracts/connectors.contract.ts";
import type { ChatMessage, Embed, OtherPost, PostDetails, PostLink } from "../../../contracts/social.ts";
import { addressesIn, detailsOf, known } from "../post-details.ts";
import { type Names, namedIn } from "./names.ts";

/** Messages of people and bots; other types are notes of Discord itself, such as who joined or what was pinned. */
const writtenTypes: MessageType[] = [
  MessageType.Default,
  MessageType.Reply,
  MessageType.ChatInputCommand,
  MessageType.ContextMenuCommand,
];

export interface Reading {
  guildId: string | null;
  /** False when Discord withholds the text of messages from this bot. */
  mayReadContent: boolean;
  /** Names of channels and roles, as far as they are known. */
  names?: Names;
}

export function isWritten({ type }: APIMessage): boolean {
  return writtenTypes.includes(type);
}

/** Makes equal posts of a live message and a polled one, since either may come first. */
export function toPost(message: APIMessage, reading: Reading): Post {
  return {
    postId: message.id,
    revision: "1",
    type: "chatserver.message.created",
    data: { message: toChatMessage(message, reading) },
  };
}

function toChatMessage(message: APIMessage, reading: Reading): ChatMessage {
  const { id, channel_id, author, timestamp } = message;
  return {
    id,
    channelId: channel_id,
    guildId: reading.guildId,
    authorId: author.id,
    authorName: nameOf(author),
    content: contentOf(message, reading),
    createdAt: new Date(timestamp).toISOString(),
    attachments: message.attachments.map(toAttachment),
    ...known<Pick<ChatMessage, "embeds" | "forwarded">>({
      embeds: embedsOf(message),
      forwarded: forwardedBy(message),
    }),
    ...toDetails(message, reading),
  };
}

function nameOf({ global_name, username }: APIMessage["author"]): string {
  return global_name ?? username;
}

/**
 * What one reads of a message: its text, or that of what it shows in place of one. Without the intent all of them are
 * empty, except where the bot is mentioned (Discord, "Message Content Intent").
 */
function contentOf(message: APIMessage, { mayReadContent }: Reading): string | null {
  const { content, poll } = message;
  const texts = [content, wordsOf(message), forwardedBy(message)?.content, poll?.question.text];
  return texts.find(text => text) ?? (mayReadContent ? "" : null);
}

function wordsOf({ embeds = [] }: { embeds?: APIEmbed[] }): string {
  const lines = embeds.flatMap(({ title, description, fields = [], url }) => {
    const said = [title, description, ...fields.map(({ name, value }) => `${name}: ${value}`)].filter(
      Boolean,
    );
    return said.length > 0 ? said : [url ?? ""];
  });
  return lines.join("\n").trim();
}

function toAttachment(file: APIAttachment): ChatMessage["attachments"][number] {
  return {
    id: file.id,
    filename: file.filename,
    url: file.url,
    contentType: file.content_type ?? null,
    size: file.size,
    alt: file.description || null,
  };
}

function embedsOf({ embeds = [] }: { embeds?: APIEmbed[] }): Embed[] | undefined {
  if (embeds.length === 0) return undefined;
  return embeds.map(({ title, url, description, author, provider, fields = [], image, thumbnail, footer }) =>
    known<Embed>({
      title,
      url,
      description,
      author: author?.name,
      provider: provider?.name,
      fields: fields.length > 0 ? fields.map(({ name, value }) => ({ name, value })) : undefined,
      image: image?.url ?? thumbnail?.url,
      footer: footer?.text,
    }),
  );
}

/** Discord forwards one message at a time, as it was when it was forwarded. */
function forwardedBy({ message_snapshots, message_reference }: APIMessage): ChatMessage["forwarded"] {
  const [{ message } = {}] = message_snapshots ?? [];
  if (!message) return undefined;
  const { content, timestamp, attachments } = message;
  return {
    content: content || wordsOf(message),
    createdAt: new Date(timestamp).toISOString(),
    attachments: attachments.map(toAttachment),
    ...known<Pick<ChatMessage, "url" | "embeds">>({
      url: message_reference && referenceOf(message_reference)?.url,
      embeds: embedsOf(message),
    }),
  };
}

function toDetails(message: APIMessage, { guildId, names }: Reading): PostDetails {
  const { id, channel_id, content, embeds = [], mentions = [], poll, edited_timestamp } = message;
  const said = [content, wordsOf(message), forwardedBy(message)?.content ?? ""].join("\n");
  // Bots write embeds of the type `rich`; the others show a page that the text links to.
  const preview = embeds.find(({ type, url, title }) => type !== "rich" && url && title);
  return detailsOf({
    url: addressOf(guildId, channel_id, id),
    links: [...linksIn(said), ...embeds.flatMap(({ url }) => (url ? [{ url }] : []))],
    card: preview && {
      url: preview.url ?? "",
      ...known({
        title: preview.title,
        description: preview.description,
        image: (preview.thumbnail ?? preview.image)?.url,
      }),
    },
    in_reply_to: answeredBy(message),
    poll: poll && toPoll(poll),
    edited_at: edited_timestamp && new Date(edited_timestamp).toISOString(),
    mentions: [
      ...mentions.map(user => ({ id: user.id, name: nameOf(user), type: "account" as const })),
      ...namedIn(said, guildId, names),
    ],
  });
}

function addressOf(guildId: string | null, channelId: string, id: string): string {
  return `https://discord.com/channels/${guildId ?? "@me"}/${channelId}/${id}`;
}

function referenceOf({
  guild_id,
  channel_id,
  message_id,
}: NonNullable<APIMessage["message_reference"]>): OtherPost | undefined {
  if (message_id === undefined) return undefined;
  return { id: message_id, url: addressOf(guild_id ?? null, channel_id, message_id) };
}

function answeredBy({ type, message_reference, referenced_message }: APIMessage): OtherPost | undefined {
  const isForward = message_reference?.type === MessageReferenceType.Forward;
  const answered = message_reference && !isForward && referenceOf(message_reference);
  if (type !== MessageType.Reply || !answered) return undefined;
  const { author, content } = referenced_message ?? {};
  return { ...answered, ...known({ author: author && nameOf(author), text: content }) };
}

/** Words that hide an address, `[words](address)`, and addresses as they are. */
function linksIn(content: string): PostLink[] {
  const hidden: PostLink[] = [];
  const rest = content.replace(/\[([^[\]]{1,500})\]\(<?(https?:\/\/[^\s<>)]+)>?\)/gi, (_, text, url) => {
    hidden.push({ url, text });
    return " ";
  });
  return [...hidden, ...addressesIn(rest)];
}

function toPoll({
  question,
  answers,
  expiry,
  allow_multiselect,
  results,
}: APIPoll): NonNullable<PostDetails["poll"]> {
  const options = answers.map(({ answer_id, poll_media }) => ({
    text: poll_media.text ?? poll_media.emoji?.name ?? "",
    ...known({ votes: results?.answer_counts.find(({ id }) => id === answer_id)?.count }),
  }));
  return {
    options,
    multiple: allow_multiselect,
    ...known({ question: question.text, ends_at: expiry && new Date(expiry).toISOString() }),
  };
}
