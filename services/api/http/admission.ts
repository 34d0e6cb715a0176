import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../../contracts/caller.ts";
import { invalid } from "../../contracts/errors.ts";
import type { Session } from "../../contracts/session.contract.ts";

/**
 * Whom a route serves. `either`: the admin key, which is unlimited, or an API key. `owner`: only the session of an owner who
 * signed in with a password, no key. The others take a session as well: one with an API key, or the administrator's or an
 * owner's that names in `x-key-id` which key it acts as.
 */
export type Auth = "key" | "admin" | "either" | "owner" | "none";

/** Who a request is made for. */
export interface Admission {
  /** The key that the request acts for. */
  caller?: Caller;
  /** The owner who signed in, for routes of owners. */
  owner?: string;
  /** Somebody who signed in acts as the key; the key itself was not sent. */
  acting?: boolean;
  /** The session, where that admitted the request. */
  session?: Session;
  /** Whether that session still holds: what stays open asks again. */
  holds?: () => Promise<boolean>;
}

/**
 * The API key of a request, from `x-api-key` or as a bearer token (RFC 6750, 2.1); undefined where none was sent, and empty
 * where the token is malformed. Other schemes of `Authorization` are for proxies in front of the gateway. Throws 400 when
 * both headers are given and differ (RFC 6750, 3.1).
 */
export function sentKey(headers: IncomingHttpHeaders): string | undefined {
  const token = bearerToken(headers);
  const key = headers["x-api-key"] as string | undefined;
  if (token !== undefined && key !== undefined && token !== key) throw twoKeys();
  return key ?? token;
}

/** Whether a request carries an API key, whatever it is worth. */
export function sendsKey(headers: IncomingHttpHeaders): boolean {
  return headers["x-api-key"] !== undefined || bearerToken(headers) !== undefined;
}

/** The challenge of a 401 (RFC 6750, 3). It has no error where no key was sent. */
export function challenge(headers: IncomingHttpHeaders): string {
  return `Bearer realm="magpie"${sendsKey(headers) ? ', error="invalid_token"' : ""}`;
}

/** The challenge of a 403 for a key without a scope that would do (RFC 6750, 3.1). */
export function scopeChallenge(scopes: readonly string[]): string {
  const named = scopes.length > 0 ? `, scope="${scopes.join(" ")}"` : "";
  return `Bearer realm="magpie", error="insufficient_scope"${named}`;
}

/** Schemes are in any case (RFC 9110, 11.1). A token has no blanks; which other characters it may have is the key's matter. */
function bearerToken({ authorization = "" }: IncomingHttpHeaders): string | undefined {
  const match = /^bearer(?:$|\s+(.*))/i.exec(authorization);
  const [, token = ""] = match ?? [];
  if (match === null) return undefined;
  return /\s/.test(token) ? "" : token;
}

function twoKeys(): Error {
  const message =
    "`Authorization` and `x-api-key` carry different keys. Send one of the two headers, or the same key in both.";
  return invalid("authorization", "not_allowed", message);
}
