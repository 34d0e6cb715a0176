import { action, repeatable } from "./action.ts";
import { caller, knownCaller } from "./caller.ts";
import { count, type Infer, list, named, nothing, nullableText, object, rule, text, time } from "./schema.ts";

/** Who signed in, and until when. */
export const session = named("Session", {
  role: {
    type: "enum",
    values: ["admin", "owner", "key"],
    description: "The administrator, an owner with its password, or somebody with an API key.",
  },
  owner: { ...nullableText, description: "Null for the administrator." },
  key: {
    type: "object",
    nullable: true,
    description: "Of the role `key`.",
    props: { id: text, name: text },
  },
  expires_at: time,
});
export type Session = Infer<typeof session>;

/** A new session: what the cookie carries, and what it means. */
const opened = object({ token: text, session });
export type OpenedSession = Infer<typeof opened>;

const openedOrNull = rule({ ...opened, nullable: true });

const token = rule({ type: "string", min: 1, max: 2048 });
/** As it was typed. The rules of a new password are `newPassword`. */
export const password = rule({ type: "string", min: 1, max: 1000, description: "The password." });
export const newPassword = rule({
  type: "string",
  min: 10,
  max: 200,
  description: "The new password: 10 to 200 characters, and none of those that are guessed first.",
});

/** A session with an API key; null for an unknown one. */
export const openKeySession = repeatable("keys.openKeySession", {
  params: { key: { type: "string", max: 512 } },
  result: openedOrNull,
});

/** A session for an owner with its password; null when one of the two is wrong. */
export const openOwnerSession = repeatable("keys.openOwnerSession", {
  params: { owner: text, password },
  result: openedOrNull,
});

/** Sets the password of the owner that a one-time link was made for, and opens a session. 410 for a used or old link. */
export const redeemLink = action("keys.redeemLink", {
  params: { token, password: newPassword },
  result: opened,
});

/** Changes an owner's password and opens a session; all others of the owner end. Null when the current one is wrong. */
export const changePassword = action("keys.changePassword", {
  params: { owner: text, current: password, next: newPassword },
  result: openedOrNull,
});

/** The session of a token of `keys`; null when its session has ended. A `key` session has the key as `caller`. */
const knownSession = rule({ type: "object", nullable: true, props: { session, caller: knownCaller } });
export type KnownSession = NonNullable<Infer<typeof knownSession>>;

/** The session of an owner or a key. The gateway knows the administrator's itself. */
export const readSession = repeatable("keys.readSession", { params: { token }, result: knownSession });

const sessionName = rule({ ...text, max: 64, description: "The name of a session, which is no secret." });

/** Ends a session for everybody who has its token. The gateway has verified it. */
export const endSession = repeatable("keys.endSession", {
  params: { name: sessionName, expiresAt: time },
  result: nothing,
});

/** Whether nobody has signed out of a session. The gateway asks about the administrator's, which it reads itself. */
export const isSessionOpen = repeatable("keys.isSessionOpen", {
  params: { name: sessionName },
  result: { type: "boolean" },
});

/** The caller that acts as the key with this id; null when there is none. */
export const findCaller = repeatable("keys.findCaller", {
  params: { id: { type: "string", max: 64 } },
  result: knownCaller,
});

/** The callers of those of some keys that exist, in no order. What stays open asks for them again. */
export const findCallers = repeatable("keys.findCallers", {
  params: { ids: { type: "array", max: 500, items: { type: "string", max: 64 } } },
  result: list(caller),
});

/*
 * Links that open one path of the gateway without a key, for a time: everyone who has the link may read what its key may.
 */

const expires = rule({ ...count, description: "Unix time in seconds." });

/** Signs paths of the gateway for the calling key; a signature for each, in their order. Not published. */
export const signLinks = repeatable("keys.signLinks", {
  params: { paths: { ...list(text), max: 10_000 }, expires },
  result: list(text),
});

/** Whose link it is; null when it was signed for another path or time, elsewhere, or by a key that is gone. Not published. */
export const readLink = repeatable("keys.readLink", {
  params: { path: text, expires, signature: { ...text, max: 1024 } },
  result: knownCaller,
});
