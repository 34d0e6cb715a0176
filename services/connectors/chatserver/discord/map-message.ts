import { type APIMessage, MessageType } from "@discordjs/core/http-only";
import type { Post } from "../../../contracts/connectors.contract.ts";
import type { ChatMessage } from "../../../contracts/social.ts";

/** What somebody or some bot wrote; the rest is Discord's own, such as who joined and what was pinned. */
const writtenTypes: MessageType[] = [
  MessageType.Default,
  MessageType.Reply,
  MessageType.ChatInputCommand,
  MessageType.ContextMenuCommand,
];

export interface Reading {
  guildId: string | null;
  /** False when Discord withholds from this bot what messages say. */
  mayReadContent: boolean;
}

export function isWritten({ type }: APIMessage): boolean {
  return writtenTypes.includes(type);
}

/** The same for a message that came live and one that was read, since either may come first. */
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
    // Without the right to it the text is empty, except where the bot is spoken to (Discord, "Message Content Intent").
    content: content === "" && !mayReadContent ? null : content,
    createdAt: new Date(timestamp).toISOString(),
    attachments: attachments.map(file => ({
      id: file.id,
      filename: file.filename,
      url: file.url,
      contentType: file.content_type ?? null,
      size: file.size,
    })),
  };
}
