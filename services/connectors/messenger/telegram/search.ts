import { Long, type tl } from "@mtcute/node";
import type { MessengerMessages } from "../../../contracts/social.ts";
import { findChat } from "./chats.ts";
import { history, isSaid, type Messages, toMessages } from "./history.ts";
import { admittedInvite } from "./invites.ts";
import type { CallOptions, Line } from "./line.ts";
import { peerId } from "./peer-id.ts";
import { readSid } from "./read-sid.ts";
import { toMessage } from "./to-post.ts";

const empty = { _: "inputMessagesFilterEmpty" } as const;
const everywhere = {
  filter: empty,
  minDate: 0,
  maxDate: 0,
  offsetRate: 0,
  offsetPeer: { _: "inputPeerEmpty" },
  offsetId: 0,
} as const;

/** Messages of one channel that hold the text; without one, the newest. `total` counts all that there are. */
export async function searchChat(
  line: Line,
  { q, channelId, limit }: { q?: string; channelId: string; limit: number },
  options: CallOptions,
): Promise<MessengerMessages> {
  const sid = readSid(channelId, "channelId");
  const chat =
    "invite" in sid ? await admittedInvite(line, sid.invite, options) : await findChat(line, sid, options);
  if (q === undefined) return told(await history(line, chat, { offsetId: 0, addOffset: 0, limit }, options));
  const window = { minDate: 0, maxDate: 0, offsetId: 0, addOffset: 0, limit, maxId: 0, minId: 0 };
  const request = { peer: chat.peer, q, filter: empty, ...window, hash: Long.ZERO };
  return told(toMessages(await line.call({ _: "messages.search", ...request }, options)));
}

/**
 * The same over all channels and groups in which the account is. What it has said and heard in private is nobody's
 * business, so that channels and groups are asked for by themselves.
 */
export async function searchAll(
  line: Line,
  { q, limit }: { q?: string; limit: number },
  options: CallOptions,
): Promise<MessengerMessages> {
  if (q === undefined) return cut(told(await newestOfAll(line, options)), limit);
  const request = { _: "messages.searchGlobal", q, limit, ...everywhere } as const;
  const channels = await line.call({ ...request, broadcastsOnly: true }, options);
  const groups = await line.call({ ...request, groupsOnly: true }, options);
  const [one, other] = [told(toMessages(channels)), told(toMessages(groups))];
  const messages = [...one.messages, ...other.messages];
  return cut({ total: one.total + other.total, messages }, limit);
}

/** The last message of each. */
async function newestOfAll(line: Line, options: CallOptions): Promise<Messages> {
  const start = { offsetDate: 0, offsetId: 0, offsetPeer: everywhere.offsetPeer, limit: 100 };
  const dialogs = await line.call({ _: "messages.getDialogs", ...start, hash: Long.ZERO }, options);
  if (dialogs._ === "messages.dialogsNotModified") return { messages: [], chats: [], total: 0 };
  const messages = dialogs.messages.filter(message => isSaid(message) && !isPrivate(message));
  return { messages, chats: dialogs.chats, total: messages.length };
}

function isPrivate(message: tl.RawMessage): boolean {
  return peerId(message.peerId) > 0;
}

function told({ messages, chats, total }: Messages): MessengerMessages {
  return { total, messages: messages.filter(isSaid).map(message => toMessage(message, chats)) };
}

function cut({ total, messages }: MessengerMessages, limit: number): MessengerMessages {
  return { total, messages: messages.sort((one, other) => other.date - one.date).slice(0, limit) };
}
