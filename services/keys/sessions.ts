import type { Caller } from "../contracts/caller.ts";
import { fail } from "../contracts/errors.ts";
import type { KnownSession, OpenedSession, Session } from "../contracts/session.contract.ts";
import { newSession, type SessionClaims, sessionName } from "../domain/session/session-token.ts";
import type { KeysContext, StoredKey, StoredOwner } from "./context.ts";
import { callerOf } from "./key-records.ts";

/** A session with an API key; null when there is no such key. Throws `key_expired`. */
export async function openKeySession(
  { keys, vault, now: clock }: KeysContext,
  value: string,
  now: number,
): Promise<OpenedSession | null> {
  const key = await keys.findOne({ lookup: vault.lookup(value) });
  if (!key) return null;
  if (hasEnded(key, clock())) throw fail("key_expired", `This API key expired at ${key.expiresAt}.`);
  const claims: SessionClaims = { role: "key", keyId: key._id, ...newSession(now) };
  return { token: vault.signSession(claims), session: keySession(key, claims) };
}

/** The session of a token; null when its session has ended: by time, by signing out, by a deleted key or a new password. */
export async function readSession(
  context: KeysContext,
  token: string,
  now: number,
): Promise<KnownSession | null> {
  const claims = context.vault.verifySession(token, now);
  if (claims && !(await isSessionOpen(context, sessionName(token)))) return null;
  if (claims?.role === "key") return await readKeySession(context, claims);
  if (claims?.role === "owner") return await readOwnerSession(context, claims);
  return null;
}

async function readKeySession(
  { keys, now }: KeysContext,
  claims: SessionClaims,
): Promise<KnownSession | null> {
  const key = await keys.findById(claims.keyId ?? "");
  if (!key || hasEnded(key, now())) return null;
  return { session: keySession(key, claims), caller: callerOf(key) };
}

function hasEnded({ expiresAt }: StoredKey, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}

async function readOwnerSession(
  { owners }: KeysContext,
  claims: SessionClaims,
): Promise<KnownSession | null> {
  const owner = await owners.findById(claims.owner ?? "");
  const isCurrent = owner?.password !== undefined && owner.generation === claims.generation;
  return isCurrent ? { session: ownerSession(owner, claims), caller: null } : null;
}

/** A session for an owner who has shown its password. */
export function openSessionOf({ vault }: KeysContext, owner: StoredOwner, now: number): OpenedSession {
  const { _id, generation = 0 } = owner;
  const claims: SessionClaims = { role: "owner", owner: _id, generation, ...newSession(now) };
  return { token: vault.signSession(claims), session: ownerSession(owner, claims) };
}

function ownerSession({ _id }: StoredOwner, claims: SessionClaims): Session {
  return { role: "owner", owner: _id, key: null, expires_at: timeOf(claims) };
}

/** It ends with its key. */
function keySession({ _id, owner, name, expiresAt }: StoredKey, claims: SessionClaims): Session {
  const end = timeOf(claims);
  const expires_at = expiresAt !== undefined && expiresAt < end ? expiresAt : end;
  return { role: "key", owner, key: { id: _id, name }, expires_at };
}

function timeOf({ expiresAt }: SessionClaims): string {
  return new Date(expiresAt).toISOString();
}

/** Whether nobody has signed out of the session with this name. */
export async function isSessionOpen({ endedSessions }: KeysContext, name: string): Promise<boolean> {
  return (await endedSessions.findById(name)) === null;
}

/** Keeps that somebody signed out of a session until it would have ended by itself. */
export async function endSession(
  { endedSessions }: KeysContext,
  { name, expiresAt }: { name: string; expiresAt: string },
  now: number,
): Promise<null> {
  await endedSessions.upsert(name, { $set: { expiresAt } });
  await endedSessions.removeMany({ expiresAt: { $lt: new Date(now).toISOString() } });
  return null;
}

/** The caller that acts as a key; null when there is no such key. */
export async function findCaller({ keys }: KeysContext, id: string): Promise<Caller | null> {
  const key = await keys.findById(id);
  return key && callerOf(key);
}

/** The callers of those of some keys that exist. */
export async function findCallers({ keys }: KeysContext, ids: string[]): Promise<Caller[]> {
  return (await keys.find({ query: { _id: { $in: ids } } })).map(callerOf);
}

/** Signatures by which links open these paths for the caller, until `expires`. */
export function signLinks(
  { vault }: KeysContext,
  { keyId }: Caller,
  paths: string[],
  expires: number,
): string[] {
  return paths.map(path => vault.signLink(keyId, [path, String(expires)]));
}

/** Who a link was signed for. Null for a wrong signature, and when its key is gone. */
export async function readLink(
  context: KeysContext,
  { path, expires, signature }: { path: string; expires: number; signature: string },
): Promise<Caller | null> {
  const keyId = context.vault.readLink(signature, [path, String(expires)]);
  return keyId === null ? null : await findCaller(context, keyId);
}
