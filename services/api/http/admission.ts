import type { Caller } from "../../contracts/caller.ts";
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
