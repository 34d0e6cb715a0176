import { retryAfterMs } from "../../domain/url/retry-after.ts";

/** What an answer says of the limit of its host. */
export interface HostLimit {
  /** Milliseconds that it asks for; undefined where it names none. */
  askedMs?: number;
}

/** The limit of its host for which an answer refuses a request (RFC 6585, 4; RFC 9110, 15.6.4); undefined for others. */
export function limitIn(status: number, headers: Record<string, string>, now: number): HostLimit | undefined {
  const askedMs = retryAfterMs(headers["retry-after"], now);
  if (status !== 429 && (status !== 503 || askedMs === undefined)) return undefined;
  return askedMs === undefined ? {} : { askedMs };
}
