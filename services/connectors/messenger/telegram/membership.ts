import type { tl } from "@mtcute/node";
import { codeOf } from "../../../contracts/errors.ts";
import type { DriverTools } from "../../social/social-connector.ts";
import { type Chat, chatAsItIs, chatOf } from "./chats.ts";
import type { CallOptions, Line } from "./line.ts";
import { isRpcError, toFailure } from "./trouble.ts";

/** Reasons for which a public channel is read by its history alone. */
const unjoined = ["CHANNELS_TOO_MUCH", "INVITE_REQUEST_SENT", "USER_CHANNELS_TOO_MUCH"];
const alreadyOut = ["CHANNEL_INVALID", "CHANNEL_PRIVATE", "PEER_ID_INVALID", "USER_NOT_PARTICIPANT"];

/** Joins, so that the network sends what is said there. A group is joined by its invite or not at all. */
export async function follow(
  line: Line,
  externalId: string,
  logger: DriverTools["logger"],
  options: CallOptions,
): Promise<void> {
  const channel = toInputChannel(await chatOf(line, externalId, options));
  if (!channel) return;
  const reason = await unless(["USER_ALREADY_PARTICIPANT", ...unjoined], options, () =>
    line.callRaw({ _: "channels.joinChannel", channel }, options),
  );
  if (reason && unjoined.includes(reason)) logger.warn("telegram.not_joined", { externalId, reason });
}

/** Leaves; what is gone, or was never joined, is left already. */
export async function unfollow(line: Line, externalId: string, options: CallOptions): Promise<void> {
  const chat = await chatAsItIs(line, Number(externalId), options).catch(error => {
    if (codeOf(error) === "not_found") return undefined;
    throw error;
  });
  // Nobody is in a group that has become a supergroup.
  if (!chat || chat.successor) return;
  const channel = toInputChannel(chat);
  await unless(alreadyOut, options, async () => {
    if (channel) await line.callRaw({ _: "channels.leaveChannel", channel }, options);
    else await leaveGroup(line, chat, options);
  });
}

async function leaveGroup(line: Line, { id }: Chat, options: CallOptions): Promise<void> {
  await line.callRaw({ _: "messages.deleteChatUser", chatId: -id, userId: { _: "inputUserSelf" } }, options);
}

/** Runs it; the names of errors that come to the same are told, others are the client's. */
async function unless(
  names: string[],
  { signal }: CallOptions,
  run: () => Promise<unknown>,
): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (isRpcError(error, ...names)) return error.text;
    throw toFailure(error);
  }
}

function toInputChannel({ peer }: Chat): tl.RawInputChannel | undefined {
  if (peer._ !== "inputPeerChannel") return undefined;
  return { _: "inputChannel", channelId: peer.channelId, accessHash: peer.accessHash };
}
