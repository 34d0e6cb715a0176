import { codeOf, fail } from "../../../contracts/errors.ts";
import { refusal } from "../../social/social-connector.ts";

/** An error answer of the network: a code like HTTP's, a name, and for some a wait. */
export interface RpcError extends Error {
  code: number;
  /** Such as `FLOOD_WAIT_%d`. */
  text: string;
  seconds?: number;
}

/** Checks by fields, not by class. With `texts`: whether the error has one of these names. */
export function isRpcError(error: unknown, ...texts: string[]): error is RpcError {
  const { code, text } = Object(error) as Partial<RpcError>;
  if (typeof code !== "number" || typeof text !== "string") return false;
  return texts.length === 0 || texts.includes(text);
}

/** Seconds that the network asks to wait; undefined for any other error. */
export function floodSeconds(error: unknown): number | undefined {
  if (!isRpcError(error) || error.code !== 420) return undefined;
  return error.seconds ?? (Number(/_(\d+)$/.exec(error.text)?.[1] ?? 0) || 60);
}

/** Errors about chats that the network does not know, or shows to members only. */
const unknownChatErrors = [
  "CHANNEL_INVALID",
  "CHANNEL_PRIVATE",
  "CHANNEL_PUBLIC_GROUP_NA",
  "CHAT_ID_INVALID",
  "CHAT_INVALID",
  "INVITE_HASH_EMPTY",
  "INVITE_HASH_EXPIRED",
  "INVITE_HASH_INVALID",
  "PEER_ID_INVALID",
  "USERNAME_INVALID",
  "USERNAME_NOT_OCCUPIED",
];
const refusalErrors = ["API_ID_INVALID", "AUTH_KEY_DUPLICATED"];

/** Whether the network refuses the account, which no retry can fix. */
export function isRefusal(error: unknown): boolean {
  return isRpcError(error) && (error.code === 401 || refusalErrors.includes(error.text));
}

/** Any error of a request as an error of the port; those stay as they are. */
export function toConnectorError(error: unknown): unknown {
  if (codeOf(error)) return error;
  if (isRefusal(error)) return accountRefused(error);
  const seconds = floodSeconds(error);
  if (seconds !== undefined)
    return fail(
      "connector_unavailable",
      "Telegram asks this installation to wait.",
      { retry_after: seconds },
      error,
    );
  if (isRpcError(error, ...unknownChatErrors)) return unknownChat(error);
  const message = isRpcError(error) ? `Telegram answered ${error.text}.` : "Telegram does not answer.";
  return fail("connector_unavailable", message, { retry_after: 10 }, error);
}

export function unknownChat(cause?: unknown): Error {
  const message = "Telegram knows no such channel or group, or does not show it to this account.";
  return fail("not_found", message, {}, cause);
}

export function notLoggedIn(): Error {
  return refusal("There is no login to Telegram yet: run `npx magpie telegram:login`.");
}

export function accountRefused(cause?: unknown): Error {
  const message =
    "Telegram refuses this installation's account: set TELEGRAM_API_ID and TELEGRAM_API_HASH and run `npx magpie telegram:login`.";
  return refusal(message, cause);
}
