import type { tl } from "@mtcute/node";
import { fail, invalid } from "../../../contracts/errors.ts";
import type { Admission, JoinStanding } from "../../../contracts/platforms.contract.ts";
import { type Chat, findChat, toChat } from "./chats.ts";
import { newest } from "./history.ts";
import type { CallOptions, Line } from "./line.ts";
import { readSid } from "./read-sid.ts";
import { floodSeconds, isRefusal, isRpcError, toFailure } from "./trouble.ts";

const refusals: Record<string, string> = {
  INVITE_HASH_EXPIRED: "The invite has expired or was withdrawn.",
  INVITE_HASH_INVALID: "The invite is unknown.",
  INVITE_HASH_EMPTY: "The invite is unknown.",
  CHANNELS_TOO_MUCH: "The account is in as many channels as it may be.",
  USERS_TOO_MUCH: "The group is full.",
  USER_BANNED_IN_CHANNEL: "The account may not enter.",
  USER_CHANNELS_TOO_MUCH: "The account is in as many channels as it may be.",
};

/** A private channel is one that somebody has to let us into, if only by its open invite. */
export async function admission(line: Line, sid: string, options: CallOptions): Promise<Admission> {
  const read = readSid(sid);
  if (!("invite" in read)) {
    // What is known by its number may show itself to members only.
    await newest(line, await findChat(line, read, options), options);
    return { state: "in" };
  }
  const found = await line.call({ _: "messages.checkChatInvite", hash: read.invite }, options);
  if (found._ === "chatInviteAlready") return { state: "in" };
  return { state: "approval_needed", invite: `https://t.me/+${read.invite}` };
}

/** The channel of an invite that has let us in. */
export async function admittedInvite(line: Line, hash: string, options: CallOptions): Promise<Chat> {
  const found = await line.call({ _: "messages.checkChatInvite", hash }, options);
  if (found._ === "chatInviteAlready") return toChat(found.chat);
  throw fail("forbidden", "This channel has not let us in; track it by its invite, which asks for it.");
}

/**
 * Asks to be let in; an invite that needs nobody's word lets in at once. A wait that the network wants is not waited
 * here, since it may be hours.
 */
export async function join(
  line: Line,
  invite: string,
  now: () => number,
  options: CallOptions,
): Promise<JoinStanding> {
  const hash = hashOf(invite);
  const ask = async () =>
    entered(await line.callRaw({ _: "messages.importChatInvite", hash }, { ...options, patienceMs: 0 }));
  return await standing(ask, { waiting: "unasked", otherwise: unsure, now, signal: options.signal });
}

/** Whether somebody has let us in. A request that was declined, or never made, looks like one that waits. */
export async function checkJoin(
  line: Line,
  invite: string,
  now: () => number,
  options: CallOptions,
): Promise<JoinStanding> {
  const hash = hashOf(invite);
  const ask = async (): Promise<JoinStanding> => {
    const found = await line.callRaw({ _: "messages.checkChatInvite", hash }, { ...options, patienceMs: 0 });
    return found._ === "chatInviteAlready" ? { state: "in" } : { state: "pending", notBefore: null };
  };
  const otherwise = (error: unknown) => {
    throw toFailure(error);
  };
  return await standing(ask, { waiting: "pending", otherwise, now, signal: options.signal });
}

interface Meaning {
  /** How it stands when the network wants us to wait. */
  waiting: "unasked" | "pending";
  /** What an error means that is neither a wait nor a refusal. */
  otherwise: (error: unknown) => JoinStanding;
  now: () => number;
  signal: AbortSignal;
}

async function standing(
  ask: () => Promise<JoinStanding>,
  { waiting, otherwise, now, signal }: Meaning,
): Promise<JoinStanding> {
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

function entered({ _: kind }: tl.messages.TypeChatInviteJoinResult): JoinStanding {
  if (kind === "messages.chatInviteJoinResultOk") return { state: "in" };
  return {
    state: "refused",
    reason: "The channel asks for a form to be filled in, which only a person can.",
  };
}

/** `connector_unavailable` would say that nothing was asked. */
function unsure(error: unknown): JoinStanding {
  if (isRpcError(error, "INVITE_REQUEST_SENT")) return { state: "pending", notBefore: null };
  if (isRpcError(error, "USER_ALREADY_PARTICIPANT")) return { state: "in" };
  if (isRefusal(error)) throw toFailure(error);
  if (isRpcError(error)) throw fail("connector_unavailable", `Telegram answered ${error.text}.`, {}, error);
  throw fail("upstream_error", "Telegram gave no answer to the request to be let in.", {}, error);
}

function hashOf(invite: string): string {
  const sid = readSid(invite, "invite");
  if ("invite" in sid) return sid.invite;
  throw invalid("invite", "invalid_invite", "Give the link of an invite such as https://t.me/+invite.");
}
