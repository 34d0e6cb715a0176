import type { tl } from "@mtcute/node";

const channelMark = 1_000_000_000_000;

/**
 * The one number that stands for a user, a group or a channel: users as they are, groups negated, channels with -100
 * before them (core.telegram.org/api/bots/ids).
 */
export function peerId(peer: tl.TypePeer): number {
  switch (peer._) {
    case "peerUser":
      return peer.userId;
    case "peerChat":
      return -peer.chatId;
    case "peerChannel":
      return channelId(peer.channelId);
  }
}

/** The same for a bare channel id. */
export function channelId(bareId: number): number {
  return -channelMark - bareId;
}

/** The same for a chat as the network describes it. */
export function chatId(chat: tl.TypeChat): number {
  return chat._ === "channel" || chat._ === "channelForbidden" ? channelId(chat.id) : -chat.id;
}

/** The bare id of a channel; undefined for anything else. */
export function bareChannelId(id: number): number | undefined {
  return id < -channelMark ? -channelMark - id : undefined;
}
