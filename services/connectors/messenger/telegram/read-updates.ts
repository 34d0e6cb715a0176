import type { tl } from "@mtcute/node";
import { successorIn } from "./history.ts";
import { channelId, peerId } from "./peer-id.ts";

/**
 * What the live connection says of one channel or group. `step`: the place of the update in the channel's sequence,
 * which tells whether one before it was lost (core.telegram.org/api/updates); groups have none of their own.
 */
export interface Happening {
  id: number;
  step?: { pts: number; count: number };
  message?: tl.RawMessage;
  /** The network has more than it wants to send, or the group is no more: the history is to be read. */
  isBehind?: true;
}

/** Null: anything may have been lost anywhere. */
export function readUpdates(updates: tl.TypeUpdates): Happening[] | null {
  switch (updates._) {
    case "updatesTooLong":
      return null;
    case "updateShort":
      return readUpdate(updates.update);
    case "updateShortChatMessage":
      return [{ id: -updates.chatId, message: fromShort(updates) }];
    case "updates":
    case "updatesCombined":
      return updates.updates.flatMap(readUpdate);
    default:
      return [];
  }
}

function readUpdate(update: tl.TypeUpdate): Happening[] {
  switch (update._) {
    case "updateNewChannelMessage":
      return fromMessage(update.message, stepOf(update));
    case "updateNewMessage":
      return fromMessage(update.message);
    case "updateEditChannelMessage":
      return fromMessage(update.message, stepOf(update)).map(({ message: _edited, ...rest }) => rest);
    case "updateChannelTooLong":
      return [{ id: channelId(update.channelId), isBehind: true }];
    case "updateDeleteChannelMessages":
    case "updatePinnedChannelMessages":
    case "updateChannelWebPage":
      return [{ id: channelId(update.channelId), step: stepOf(update) }];
    default:
      return [];
  }
}

/** Messages between people are nobody else's business, and are read past. */
function fromMessage(message: tl.TypeMessage, step?: Happening["step"]): Happening[] {
  if (!message.peerId || message.peerId._ === "peerUser") return [];
  const told = message._ === "message" ? { message } : {};
  const behind = successorIn(message) === undefined ? {} : { isBehind: true as const };
  return [{ id: peerId(message.peerId), ...(step && { step }), ...told, ...behind }];
}

function stepOf({ pts, ptsCount }: { pts: number; ptsCount: number }): Happening["step"] {
  return { pts, count: ptsCount };
}

function fromShort(short: tl.RawUpdateShortChatMessage): tl.RawMessage {
  const { id, date, message, fwdFrom, replyTo, entities } = short;
  const fromId: tl.TypePeer = { _: "peerUser", userId: short.fromId };
  const peer: tl.TypePeer = { _: "peerChat", chatId: short.chatId };
  return { _: "message", id, date, message, fwdFrom, replyTo, entities, fromId, peerId: peer };
}
