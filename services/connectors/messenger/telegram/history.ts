import { Long, type tl } from "@mtcute/node";
import { fail, invalid } from "../../../contracts/errors.ts";
import type { News, Page } from "../../social/social-connector.ts";
import { type Chat, chatOf } from "./chats.ts";
import type { CallOptions, Line } from "./line.ts";
import { channelId } from "./peer-id.ts";
import { toPost } from "./to-post.ts";

const pageSize = 100;

/** Messages of a chat, newest first, and how many there are. */
export interface Messages {
  messages: tl.TypeMessage[];
  chats: tl.TypeChat[];
  total: number;
}

/** Cursors are ids of messages, which grow within a channel. */
export async function since(
  line: Line,
  externalId: string,
  cursor: string | null,
  options: CallOptions,
): Promise<News> {
  const chat = await chatOf(line, externalId, options);
  if (cursor === null) return { posts: [], cursor: await newest(line, chat, options), more: false };
  const after = readCursor(cursor);
  // The window of one page that ends just above the cursor, counted from the newest (core.telegram.org/api/offsets).
  const { messages, chats } = await history(
    line,
    chat,
    { offsetId: after + 1, addOffset: -pageSize, limit: pageSize },
    options,
  );
  const news = messages.filter(({ id }) => id > after).sort((one, other) => one.id - other.id);
  const said = news.filter(isSaid);
  const successor = news.map(successorIn).find(id => id !== undefined) ?? successorOf(chat);
  if (successor !== undefined && said.length === 0) throw moved(successor);
  // The note that the group has moved is the last, and is read again, so that it is not forgotten.
  const last = successor === undefined ? news.at(-1) : said.at(-1);
  return {
    posts: said.map(message => toPost(message, chats)),
    cursor: String(last?.id ?? after),
    more: news.length >= pageSize,
  };
}

/** The bare id of the supergroup that a group has become, as the group's last message says. */
export function successorIn(message: tl.TypeMessage): number | undefined {
  if (message._ !== "messageService" || message.action._ !== "messageActionChatMigrateTo") return undefined;
  return message.action.channelId;
}

function successorOf({ successor }: Chat): number | undefined {
  return successor && "channelId" in successor ? successor.channelId : undefined;
}

function moved(bareId: number): Error {
  const sentence = `This group has become a supergroup, and its number is ${channelId(bareId)} now: track that.`;
  return fail("expired", sentence);
}

/** The cursor from which nothing of the past is told. */
export async function newest(line: Line, chat: Chat, options: CallOptions): Promise<string> {
  const { messages } = await history(line, chat, { offsetId: 0, addOffset: 0, limit: 1 }, options);
  return String(messages[0]?.id ?? 0);
}

export async function historyPage(
  line: Line,
  externalId: string,
  { cursor, limit }: { cursor?: string; limit: number },
  options: CallOptions,
): Promise<Page> {
  const chat = await chatOf(line, externalId, options);
  const offsetId = cursor === undefined ? 0 : readCursor(cursor);
  const size = Math.min(limit, pageSize);
  const { messages, chats } = await history(line, chat, { offsetId, addOffset: 0, limit: size }, options);
  const last = messages.at(-1);
  return {
    posts: messages.filter(isSaid).map(message => toPost(message, chats)),
    next: last && messages.length >= size ? String(last.id) : null,
  };
}

export async function history(
  line: Line,
  { peer }: Chat,
  window: { offsetId: number; addOffset: number; limit: number },
  options: CallOptions,
): Promise<Messages> {
  const request = { offsetDate: 0, maxId: 0, minId: 0, hash: Long.ZERO, ...window };
  return toMessages(await line.call({ _: "messages.getHistory", peer, ...request }, options));
}

export function toMessages(answer: tl.messages.TypeMessages): Messages {
  if (answer._ === "messages.messagesNotModified") return { messages: [], chats: [], total: answer.count };
  const { messages, chats } = answer;
  return { messages, chats, total: "count" in answer ? answer.count : messages.length };
}

/** Notes such as that somebody has joined are no messages. */
export function isSaid(message: tl.TypeMessage): message is tl.RawMessage {
  return message._ === "message";
}

function readCursor(cursor: string): number {
  if (/^\d{1,10}$/.test(cursor)) return Number(cursor);
  throw invalid("cursor", "invalid_cursor", "Give a cursor as an answer has told it.");
}
