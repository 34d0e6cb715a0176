import type { tl } from "@mtcute/core";
import type { Admission, JoinState } from "../../../contracts/connectors.contract.ts";
import { fail, invalid } from "../../../contracts/errors.ts";
import type { CallOptions, TelegramSession } from "./api.ts";
import { type Chat, findChat, toChat } from "./chats.ts";
import { floodSeconds, isRefusal, isRpcError, toConnectorError } from "./errors.ts";
import { newestCursor } from "./read-posts.ts";
import { parseSid } from "./sid.ts";

const refusals: Record<string, string> = {
  INVITE_HASH_EXPIRED: "The invite has expired or was withdrawn.",
  INVITE_HASH_INVALID: "The invite is unknown.",
  INVITE_HASH_EMPTY: "The invite is unknown.",
  CHANNELS_TOO_MUCH: "The account is in as many channels as it may be.",
  USERS_TOO_MUCH: "The group is full.",
  USER_BANNED_IN_CHANNEL: "The account is banned from this channel.",
  USER_CHANNELS_TOO_MUCH: "The account is in as many channels as it may be.",
};

/** Whether a `sid` can be read at once. A private channel needs a join by its invite, even an open one. */
export async function admission(
  session: TelegramSession,
  sid: string,
  options: CallOptions,
): Promise<Admission> {
  const read = parseSid(sid);
  if (!("invite" in read)) {
    // A chat that is known by its number may be visible to members only.
    await newestCursor(session, await findChat(session, read, options), options);
    return { state: "in" };
  }
  const found = await session.call({ _: "messages.checkChatInvite", hash: read.invite }, options);
  if (found._ === "chatInviteAlready") return { state: "in" };
  return { state: "approval_needed", invite: `https://t.me/+${read.invite}` };
}

/** The channel of an invite by which this account has joined. */
export async function admittedInvite(
  session: TelegramSession,
  hash: string,
  options: CallOptions,
): Promise<Chat> {
  const found = await session.call({ _: "messages.checkChatInvite", hash }, options);
  if (found._ === "chatInviteAlready") return toChat(found.chat);
  throw fail(
    "forbidden",
    "This account has not joined the channel. Track the channel by its invite, which sends a join request.",
  );
}

/**
 * Sends a join request; an invite without approval joins at once. Does not wait when the network asks for it, since that
 * may take hours.
 */
export async function join(
  session: TelegramSession,
  invite: string,
  now: () => number,
  options: CallOptions,
): Promise<JoinState> {
  const hash = hashOf(invite);
  const ask = async () =>
    stateOfResult(
      await session.callRaw({ _: "messages.importChatInvite", hash }, { ...options, maxFloodWaitMs: 0 }),
    );
  return await joinState(ask, {
    waiting: "unasked",
    otherwise: afterUncertainRequest,
    now,
    signal: options.signal,
  });
}

/** Whether the join request was accepted. A declined or missing request looks like a pending one. */
export async function checkJoin(
  session: TelegramSession,
  invite: string,
  now: () => number,
  options: CallOptions,
): Promise<JoinState> {
  const hash = hashOf(invite);
  const ask = async (): Promise<JoinState> => {
    const found = await session.callRaw(
      { _: "messages.checkChatInvite", hash },
      { ...options, maxFloodWaitMs: 0 },
    );
    return found._ === "chatInviteAlready" ? { state: "in" } : { state: "pending", notBefore: null };
  };
  const otherwise = (error: unknown) => {
    throw toConnectorError(error);
  };
  return await joinState(ask, { waiting: "pending", otherwise, now, signal: options.signal });
}

interface ErrorMeaning {
  /** The state when the network asks to wait. */
  waiting: "unasked" | "pending";
  /** The state for an error that is neither a wait nor a refusal. */
  otherwise: (error: unknown) => JoinState;
  now: () => number;
  signal: AbortSignal;
}

async function joinState(
  ask: () => Promise<JoinState>,
  { waiting, otherwise, now, signal }: ErrorMeaning,
): Promise<JoinState> {
  try {
    return await ask();
  } catch (error) {
    signal.throwIfAborted();
    const seconds = floodSeconds(error);
    if (seconds !== undefined) return { state: waiting, notBefore: now() + seconds * 1000 };
    const reason = isRpcError(error) ? refusals[error.text] : undefined;
    return reason === undefined ? otherwise(error) : { state: "refused", reason };
  }
}

function stateOfResult({ _: kind }: tl.messages.TypeChatInviteJoinResult): JoinState {
  if (kind === "messages.chatInviteJoinResultOk") return { state: "in" };
  return {
    state: "refused",
    reason: "The channel requires a form that only a person can fill in.",
  };
}

/** The state after an error that leaves open whether the request was sent; `connector_unavailable` says that it was not. */
function afterUncertainRequest(error: unknown): JoinState {
  if (isRpcError(error, "INVITE_REQUEST_SENT")) return { state: "pending", notBefore: null };
  if (isRpcError(error, "USER_ALREADY_PARTICIPANT")) return { state: "in" };
  if (isRefusal(error)) throw toConnectorError(error);
  if (isRpcError(error)) throw fail("connector_unavailable", `Telegram answered ${error.text}.`, {}, error);
  throw fail("upstream_error", "Telegram did not answer the join request.", {}, error);
}

function hashOf(invite: string): string {
  const sid = parseSid(invite, "invite");
  if ("invite" in sid) return sid.invite;
  throw invalid("invite", "malformed", "Give the link of an invite such as https://t.me/+invite.");
}
