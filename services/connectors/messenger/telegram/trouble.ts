import { codeOf, fail } from "../../../contracts/errors.ts";
import { refusal } from "../../social/refusal.ts";

/** An error that the network answered with: its code as HTTP's, its name, and for some how long to wait. */
export interface RpcError extends Error {
  code: number;
  /** Such as `FLOOD_WAIT_%d`. */
  text: string;
  seconds?: number;
}

/** By its fields, as anywhere: classes are not asked for. Any of the names when there are some. */
export function isRpcError(error: unknown, ...texts: string[]): error is RpcError {
  const { code, text } = Object(error) as Partial<RpcError>;
  if (typeof code !== "number" || typeof text !== "string") return false;
  return texts.length === 0 || texts.includes(text);
}

/** Seconds that the network wants to be left alone; undefined for any other error. */
export function floodSeconds(error: unknown): number | undefined {
  if (!isRpcError(error) || error.code !== 420) return undefined;
  return error.seconds ?? (Number(/_(\d+)$/.exec(error.text)?.[1] ?? 0) || 60);
}

/** Names of what the network does not know, or shows only to members. */
const ofTheUnknown = [
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
const refusals = ["API_ID_INVALID", "AUTH_KEY_DUPLICATED"];

/** Whether the account itself is refused, which no waiting mends. */
export function isRefusal(error: unknown): boolean {
  return isRpcError(error) && (error.code === 401 || refusals.includes(error.text));
}

/** Any error of a request as the client may read it; what is one already stays as it is. */
export function toFailure(error: unknown): unknown {
  if (codeOf(error)) return error;
  if (isRefusal(error)) return refused(error);
  const seconds = floodSeconds(error);
  if (seconds !== undefined)
    return fail(
      "connector_unavailable",
      "Telegram wants to be asked later.",
      { retry_after: seconds },
      error,
    );
  if (isRpcError(error, ...ofTheUnknown)) return unknown(error);
  return fail("connector_unavailable", "Telegram gives no answer.", { retry_after: 10 }, error);
}

export function unknown(cause?: unknown): Error {
  const sentence = "Telegram knows no such channel or group, or does not show it to this account.";
  return fail("not_found", sentence, {}, cause);
}

export function notLoggedIn(): Error {
  return refusal("There is no login to Telegram yet: run `npm run telegram:login`.");
}

export function refused(cause?: unknown): Error {
  const sentence =
    "Telegram refuses this installation's account: set TELEGRAM_API_ID and TELEGRAM_API_HASH and run `npm run telegram:login`.";
  return refusal(sentence, cause);
}
