import type { tl } from "@mtcute/core";
import { logEvent } from "../../../../mixins/log/log-events.ts";
import { codeOf } from "../../../contracts/errors.ts";
import type { DriverTools } from "../../social/social-connector.ts";
import type { CallOptions, TelegramSession } from "./api.ts";
import { type Chat, chatOf, currentChat } from "./chats.ts";
import { isRpcError, toConnectorError } from "./errors.ts";

/** Errors after which a public channel is read by its history only. */
const unjoined = ["CHANNELS_TOO_MUCH", "INVITE_REQUEST_SENT", "USER_CHANNELS_TOO_MUCH"];
const alreadyOut = ["CHANNEL_INVALID", "CHANNEL_PRIVATE", "PEER_ID_INVALID", "USER_NOT_PARTICIPANT"];

/** Joins a channel, so that the network sends its messages. Groups can only be joined by an invite. */
export async function follow(
  session: TelegramSession,
  externalId: string,
  logger: DriverTools["logger"],
  options: CallOptions,
): Promise<void> {
  const channel = toInputChannel(await chatOf(session, externalId, options));
  if (!channel) return;
  const reason = await unlessError(["USER_ALREADY_PARTICIPANT", ...unjoined], options, () =>
    session.callRaw({ _: "channels.joinChannel", channel }, options),
  );
  if (reason && unjoined.includes(reason)) logEvent(logger, "telegram_join.refused", { externalId, reason });
}

/** Leaves a channel or group; does nothing for one that is gone, or was never joined. */
export async function unfollow(
  session: TelegramSession,
  externalId: string,
  options: CallOptions,
): Promise<void> {
  const chat = await currentChat(session, Number(externalId), options).catch(error => {
    if (codeOf(error) === "not_found") return undefined;
    throw error;
  });
  // A group that has become a supergroup has no members.
  if (!chat || chat.successor) return;
  const channel = toInputChannel(chat);
  await unlessError(alreadyOut, options, async () => {
    if (channel) await session.callRaw({ _: "channels.leaveChannel", channel }, options);
    else await leaveGroup(session, chat, options);
  });
}

async function leaveGroup(session: TelegramSession, { id }: Chat, options: CallOptions): Promise<void> {
  await session.callRaw(
    { _: "messages.deleteChatUser", chatId: -id, userId: { _: "inputUserSelf" } },
    options,
  );
}

/** Runs a request. Returns the name of an error that is among `names`, and throws any other. */
async function unlessError(
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
    throw toConnectorError(error);
  }
}

function toInputChannel({ peer }: Chat): tl.RawInputChannel | undefined {
  if (peer._ !== "inputPeerChannel") return undefined;
  return { _: "inputChannel", channelId: peer.channelId, accessHash: peer.accessHash };
}
