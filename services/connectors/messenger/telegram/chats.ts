import type { tl } from "@mtcute/node";
import type { CallOptions, Line } from "./line.ts";
import { bareChannelId, channelId, chatId, peerId } from "./peer-id.ts";
import type { Sid } from "./read-sid.ts";
import { unknown } from "./trouble.ts";

/** A channel or group that the account may read. */
export interface Chat {
  /** As `peerId` tells it. */
  id: number;
  title: string;
  /** Empty where it has none. */
  username: string;
  peer: tl.RawInputPeerChannel | tl.RawInputPeerChat;
  /** The supergroup that a group has become. */
  successor?: tl.TypeInputChannel;
}

/**
 * The channel or group of a user name or number. 404 for what nobody knows, for a person, for what shows itself to
 * members only. What is known is not asked for: finding a name is the tightest limit of all. A number alone leads
 * nowhere, so that a channel's means something only once the account has met it. A group that has become a supergroup is
 * found as that.
 */
export async function findChat(
  line: Line,
  sid: Exclude<Sid, { invite: string }>,
  options: CallOptions,
): Promise<Chat> {
  if ("id" in sid) {
    const chat = await chatAsItIs(line, sid.id, options);
    return chat.successor ? toChat(await askedForChannel(line, chat.successor, options)) : chat;
  }
  const { username } = sid;
  const { storage } = await line.client();
  const id = idOf(await storage.peers.getByUsername(username));
  const known = id === undefined ? undefined : await knownChat(line, id);
  if (known) return toChat(known);
  const { peer, chats } = await line.call({ _: "contacts.resolveUsername", username }, options);
  return toChat(chats.find(chat => chatId(chat) === peerId(peer)));
}

/** The one that stands behind the external id of a source, as the session knows it. */
export async function chatOf(line: Line, externalId: string, options: CallOptions): Promise<Chat> {
  const id = Number(externalId);
  return toChat((await knownChat(line, id)) ?? (await askedById(line, id, options)));
}

/** The same; a group is asked for, since the session does not learn what becomes of it. */
export async function chatAsItIs(line: Line, id: number, options: CallOptions): Promise<Chat> {
  if (bareChannelId(id) !== undefined) return await chatOf(line, String(id), options);
  return toChat(await askedById(line, id, options));
}

/** A group's number is enough; a channel has to be known, if only as another version of the library described it. */
async function askedById(line: Line, id: number, options: CallOptions): Promise<tl.TypeChat | undefined> {
  const { storage } = await line.client();
  const peer = await storage.peers.getById(id);
  if (peer?._ === "inputPeerChannel") {
    const { channelId, accessHash } = peer;
    return await askedForChannel(line, { _: "inputChannel", channelId, accessHash }, options);
  }
  if (bareChannelId(id) !== undefined) return undefined;
  return (await line.call({ _: "messages.getChats", id: [-id] }, options)).chats[0];
}

async function askedForChannel(
  line: Line,
  channel: tl.TypeInputChannel,
  options: CallOptions,
): Promise<tl.TypeChat | undefined> {
  return (await line.call({ _: "channels.getChannels", id: [channel] }, options)).chats[0];
}

/** What the session knows of it. */
export async function knownChat(line: Line, id: number): Promise<tl.TypeChat | undefined> {
  const { storage } = await line.client();
  const known = await storage.peers.getCompleteById(id);
  return known && known._ !== "user" && known._ !== "userEmpty" ? known : undefined;
}

/** What the network describes; one that shows nothing of itself is 404. */
export function toChat(chat: tl.TypeChat | undefined): Chat {
  if (chat?._ === "chat")
    return {
      id: chatId(chat),
      title: chat.title,
      username: "",
      peer: { _: "inputPeerChat", chatId: chat.id },
      ...(chat.migratedTo && { successor: chat.migratedTo }),
    };
  if (chat?._ !== "channel" || chat.accessHash === undefined) throw unknown();
  const { id, accessHash, title, username, usernames } = chat;
  const name = username ?? usernames?.find(({ active }) => active)?.username;
  const peer: Chat["peer"] = { _: "inputPeerChannel", channelId: id, accessHash };
  return { id: channelId(id), title, username: name ?? "", peer };
}

function idOf(peer: tl.TypeInputPeer | null): number | undefined {
  return peer?._ === "inputPeerChannel" ? channelId(peer.channelId) : undefined;
}
