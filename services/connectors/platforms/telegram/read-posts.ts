import { Long, type tl } from "@mtcute/core";
import { fail, invalid } from "../../../contracts/errors.ts";
import type { NewPosts, PostPage } from "../../social/social-connector.ts";
import type { CallOptions, TelegramSession } from "./api.ts";
import { type Chat, chatOf } from "./chats.ts";
import { toPost } from "./map-post.ts";
import { channelId } from "./sid.ts";

const pageSize = 100;

/** Messages of a chat, newest first, and how many there are. */
export interface Messages {
  messages: tl.TypeMessage[];
  chats: tl.TypeChat[];
  total: number;
}

/** Cursors are ids of messages, which grow within a channel. */
export async function readSince(
  session: TelegramSession,
  externalId: string,
  cursor: string | null,
  options: CallOptions,
): Promise<NewPosts> {
  const chat = await chatOf(session, externalId, options);
  if (cursor === null) return { posts: [], cursor: await newestCursor(session, chat, options), more: false };
  const after = readCursor(cursor);
  // The window of one page that ends just above the cursor, counted from the newest (core.telegram.org/api/offsets).
  const { messages, chats } = await fetchHistory(
    session,
    chat,
    { offsetId: after + 1, addOffset: -pageSize, limit: pageSize },
    options,
  );
  const news = messages.filter(({ id }) => id > after).sort((one, other) => one.id - other.id);
  const written = news.filter(isMessage);
  const successor = news.map(successorIn).find(id => id !== undefined) ?? successorOf(chat);
  if (successor !== undefined && written.length === 0) throw movedError(successor);
  // The last message says that the group has moved. The cursor stays before it, so that the next poll reads it again.
  const last = successor === undefined ? news.at(-1) : written.at(-1);
  return {
    posts: written.map(message => toPost(message, chats)),
    cursor: String(last?.id ?? after),
    more: news.length >= pageSize,
  };
}

/** The bare id of the supergroup that a group has become, from the group's last message. */
export function successorIn(message: tl.TypeMessage): number | undefined {
  if (message._ !== "messageService" || message.action._ !== "messageActionChatMigrateTo") return undefined;
  return message.action.channelId;
}

function successorOf({ successor }: Chat): number | undefined {
  return successor && "channelId" in successor ? successor.channelId : undefined;
}

function movedError(bareId: number): Error {
  const message = `This group has become a supergroup with the number ${channelId(bareId)}. Track that number.`;
  return fail("expired", message);
}

/** The cursor of this moment, after which only new messages follow. */
export async function newestCursor(
  session: TelegramSession,
  chat: Chat,
  options: CallOptions,
): Promise<string> {
  const { messages } = await fetchHistory(session, chat, { offsetId: 0, addOffset: 0, limit: 1 }, options);
  return String(messages[0]?.id ?? 0);
}

export async function readHistory(
  session: TelegramSession,
  externalId: string,
  { cursor, limit }: { cursor?: string; limit: number },
  options: CallOptions,
): Promise<PostPage> {
  const chat = await chatOf(session, externalId, options);
  const offsetId = cursor === undefined ? 0 : readCursor(cursor);
  const size = Math.min(limit, pageSize);
  const { messages, chats } = await fetchHistory(
    session,
    chat,
    { offsetId, addOffset: 0, limit: size },
    options,
  );
  const last = messages.at(-1);
  return {
    posts: messages.filter(isMessage).map(message => toPost(message, chats)),
    next: last && messages.length >= size ? String(last.id) : null,
  };
}

export async function fetchHistory(
  session: TelegramSession,
  { peer }: Chat,
  window: { offsetId: number; addOffset: number; limit: number },
  options: CallOptions,
): Promise<Messages> {
  const request = { offsetDate: 0, maxId: 0, minId: 0, hash: Long.ZERO, ...window };
  return toMessages(await session.call({ _: "messages.getHistory", peer, ...request }, options));
}

export function toMessages(answer: tl.messages.TypeMessages): Messages {
  if (answer._ === "messages.messagesNotModified") return { messages: [], chats: [], total: answer.count };
  const { messages, chats } = answer;
  return { messages, chats, total: "count" in answer ? answer.count : messages.length };
}

/** Service notes, such as that a person has joined, are not messages. */
export function isMessage(message: tl.TypeMessage): message is tl.RawMessage {
  return message._ === "message";
}

function readCursor(cursor: string): number {
  if (/^\d{1,10}$/.test(cursor)) return Number(cursor);
  throw invalid("cursor", "malformed", "Give a cursor that an answer has returned.");
}
