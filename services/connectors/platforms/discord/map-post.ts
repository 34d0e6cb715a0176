import { type APIMessage, MessageType } from "@discordjs/core/http-only";
import type { Post } from "../../../contracts/connectors.contract.ts";
import type { ChatMessage } from "../../../contracts/social.ts";

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

function toChatMessage(message: APIMessage, { guildId, mayReadContent }: Reading): ChatMessage {
  const { id, channel_id, author, content, timestamp, attachments } = message;
  return {
    id,
    channelId: channel_id,
    guildId,
    authorId: author.id,
    authorName: author.global_name ?? author.username,
    // Without the intent the text is empty, except where the bot is mentioned (Discord, "Message Content Intent").
    content: content === "" && !mayReadContent ? null : content,
    createdAt: new Date(timestamp).toISOString(),
    attachments: attachments.map(file => ({
      id: file.id,
      filename: file.filename,
      url: file.url,
      contentType: file.content_type ?? null,
      size: file.size,
      alt: file.description || null,
    })),
  };
}
