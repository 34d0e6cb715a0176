import type { tl } from "@mtcute/core";
import type { Post } from "../../../contracts/connectors.contract.ts";
import type {
  Mention,
  MessengerMessage,
  OtherPost,
  PostDetails,
  PostLink,
} from "../../../contracts/social.ts";
import { detailsOf, known } from "../post-details.ts";
import { bareChannelId, chatId, peerId } from "./sid.ts";

/** A message as a post of its channel. */
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
    text: message.message || (pollOf(message.media)?.question ?? ""),
    date: message.date,
    channelId: String(id),
    channelTitle: chat && "title" in chat ? chat.title : null,
    fromId: message.fromId ? String(peerId(message.fromId)) : null,
    views: message.views ?? null,
    forwards: message.forwards ?? null,
    hasMedia: message.media !== undefined && message.media._ !== "messageMediaEmpty",
    mediaType: mediaType(message.media),
    ...toDetails(message, chats),
  };
}

function toDetails(message: tl.RawMessage, chats: tl.TypeChat[]): PostDetails {
  const { media } = message;
  const webpage =
    media?._ === "messageMediaWebPage" && media.webpage._ === "webPage" ? media.webpage : undefined;
  const { links, mentions } = readEntities(message);
  const { title, description } = webpage ?? {};
  return detailsOf({
    url: addressOf(peerId(message.peerId), message.id, chats),
    links,
    card: webpage && { url: webpage.url, ...known({ title, description }) },
    quoted: forwardedBy(message, chats),
    in_reply_to: answeredBy(message, chats),
    poll: pollOf(media),
    edited_at: editTime(message),
    mentions,
  });
}

/** ISO 8601. Reactions and votes are edits, too, which Telegram does not show. */
export function editTime({ editDate, editHide }: tl.RawMessage): string | undefined {
  return editDate === undefined || editHide ? undefined : new Date(editDate * 1000).toISOString();
}

/** The address of a private channel's message opens for members alone; groups of the small kind have none. */
function addressOf(id: number, messageId: number, chats: tl.TypeChat[]): string | undefined {
  const bareId = bareChannelId(id);
  if (bareId === undefined) return undefined;
  const chat = chats.find(each => chatId(each) === id);
  const { username, usernames } = chat?._ === "channel" ? chat : {};
  const name = username ?? usernames?.find(({ active }) => active)?.username;
  return `https://t.me/${name ?? `c/${bareId}`}/${messageId}`;
}

/** Offsets count UTF-16, as strings do (core.telegram.org/api/entities). */
function readEntities({ message, entities = [] }: tl.RawMessage): { links: PostLink[]; mentions: Mention[] } {
  const links: PostLink[] = [];
  const mentions: Mention[] = [];
  for (const entity of entities) {
    const words = message.slice(entity.offset, entity.offset + entity.length);
    const name = words.replace(/^@/, "");
    if (entity._ === "messageEntityTextUrl") links.push({ url: entity.url, text: words });
    if (entity._ === "messageEntityUrl")
      links.push({ url: /^[a-z][a-z0-9+.-]*:/i.test(words) ? words : `https://${words}`, text: words });
    if (entity._ === "messageEntityMention")
      mentions.push({ id: name, name, url: `https://t.me/${name}`, type: "account" });
    if (entity._ === "messageEntityMentionName")
      mentions.push({ id: String(entity.userId), name, type: "account" });
  }
  return { links, mentions };
}

function forwardedBy({ fwdFrom }: tl.RawMessage, chats: tl.TypeChat[]): OtherPost | undefined {
  if (fwdFrom?.channelPost === undefined || !fwdFrom.fromId) return undefined;
  const id = peerId(fwdFrom.fromId);
  const chat = chats.find(each => chatId(each) === id);
  return known<OtherPost>({
    id: String(fwdFrom.channelPost),
    url: addressOf(id, fwdFrom.channelPost, chats),
    author: (chat && "title" in chat ? chat.title : undefined) ?? fwdFrom.fromName,
  });
}

function answeredBy({ peerId: peer, replyTo }: tl.RawMessage, chats: tl.TypeChat[]): OtherPost | undefined {
  if (replyTo?._ !== "messageReplyHeader" || replyTo.replyToMsgId === undefined) return undefined;
  // The first message of a topic is no message that somebody answers.
  if (replyTo.forumTopic && replyTo.replyToTopId === undefined) return undefined;
  const { replyToMsgId, replyToPeerId, quoteText } = replyTo;
  const url = addressOf(peerId(replyToPeerId ?? peer), replyToMsgId, chats);
  return known<OtherPost>({ id: String(replyToMsgId), url, text: quoteText });
}

function pollOf(media: tl.TypeMessageMedia | undefined): PostDetails["poll"] {
  if (media?._ !== "messageMediaPoll") return undefined;
  const { poll, results } = media;
  const votesOf = (option: Uint8Array) =>
    results.results?.find(each => Buffer.compare(each.option, option) === 0)?.voters;
  const options = poll.answers.flatMap(answer =>
    answer._ === "pollAnswer"
      ? [{ text: answer.text.text, ...known({ votes: votesOf(answer.option) }) }]
      : [],
  );
  const endsAt = poll.closeDate === undefined ? undefined : new Date(poll.closeDate * 1000).toISOString();
  return {
    question: poll.question.text,
    options,
    multiple: poll.multipleChoice ?? false,
    ...known({ ends_at: endsAt }),
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
