import { longestPauseMs, receiverPauseMs } from "../backoff.ts";
import type { Format } from "./formats.ts";

/** What a receiver has answered; null for no answer. */
export interface Received {
  status: number | null;
  /** `Retry-After` and `X-RateLimit-Reset-After`. */
  retryAfter?: string | undefined;
  resetAfter?: string | undefined;
  /** The beginning of the body. */
  text: string;
}

/**
 * Whether a success notifies nobody: an Apprise API answers 204 where nothing is configured under the address's key, and
 * Telegram and Pushover say in the body whether they took it.
 */
export function isInVain(format: Format, { status, text }: Pick<Received, "status" | "text">): boolean {
  if (status === null || status >= 300) return false;
  if (format === "telegram") return /"ok"\s*:\s*false/.test(text);
  if (format === "pushover") return /"status"\s*:\s*0/.test(text);
  return format === "apprise" && status === 204;
}

const bodySeconds = /"retry_after"\s*:\s*(\d+(?:\.\d+)?)/;
const seconds = /^\d+(\.\d+)?$/;

/**
 * The pause that a failed delivery's answer asks for, in milliseconds. Discord says it in fractions of a second, in a
 * header and in the body; the header comes first, since the body of its oldest API has milliseconds
 * (https://discord.com/developers/docs/topics/rate-limits).
 */
export function pauseAskedMs(
  format: Format,
  { status, retryAfter, resetAfter, text }: Received,
  now: number,
): number {
  const asked = resetAfter && seconds.test(resetAfter) ? resetAfter : bodySeconds.exec(text)?.[1];
  // Telegram says it in the body alone, in `parameters`.
  const isOwn = format === "discord" || format === "telegram";
  if (!isOwn || status !== 429 || asked === undefined) return receiverPauseMs(retryAfter, now);
  return Math.min(Math.ceil(Number(asked) * 1000), longestPauseMs);
}
