import type { tl } from "@mtcute/core";
import type { Post } from "../../../contracts/connectors.contract.ts";
import type { MessengerMessage } from "../../../contracts/social.ts";
import { chatId, peerId } from "./sid.ts";

/** A message as a post of its channel. Edits are not published, so there is one revision. */
export function toPost(message: tl.RawMessage, chats: tl.TypeChat[]): Post {
  const content = toMessage(message, chats);
  return {
    postId: String(message.id),
    revision: "1",
    type: "messenger.message.created",
    data: { message: content },
  };
}

/** Only channels count `views` and `forwards`; their messages have no sender unless the channel shows it. */
export function toMessage(message: tl.RawMessage, chats: tl.TypeChat[]): MessengerMessage {
  const id = peerId(message.peerId);
  const chat = chats.find(each => chatId(each) === id);
  return {
    id: message.id,
    text: message.message,
    date: message.date,
    channelId: String(id),
    channelTitle: chat && "title" in chat ? chat.title : null,
    fromId: message.fromId ? String(peerId(message.fromId)) : null,
    views: message.views ?? null,
    forwards: message.forwards ?? null,
    hasMedia: message.media !== undefined && message.media._ !== "messageMediaEmpty",
    mediaType: mediaType(message.media),
  };
}

/** Polls, places, contacts and the like have no type in the API. */
function mediaType(media: tl.TypeMessageMedia | undefined): MessengerMessage["mediaType"] {
  switch (media?._) {
    case "messageMediaPhoto":
      return "photo";
    case "messageMediaDocument":
      return isVideo(media) ? "video" : "document";
    case "messageMediaWebPage":
      return "url";
    default:
      return null;
  }
}

function isVideo({ video, round, document }: tl.RawMessageMediaDocument): boolean {
  if (video || round) return true;
  return document?._ === "document" && document.attributes.some(({ _ }) => _ === "documentAttributeVideo");
}
