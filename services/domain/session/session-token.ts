import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Who signed in: the administrator, an owner by its password, or somebody with an API key. */
export type SessionRole = "admin" | "owner" | "key";

/** How long a session lasts. */
export const sessionMs = 12 * 3_600_000;

/** What a session's token says. */
export interface SessionClaims {
  role: SessionRole;
  /** Sessions of the role `owner` have it. */
  owner?: string;
  /** The number of the owner's password, for the role `owner`. A new password has a new number, which ends earlier sessions. */
  generation?: number;
  /** Sessions of the role `key` have it. */
  keyId?: string;
  /** Tells it from another one that was opened at the same time. */
  id: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

const version = "v1";
const maxLength = 2048;

/** The id and the end of a new session. */
export function newSession(now: number): { id: string; expiresAt: number } {
  return { id: randomBytes(9).toString("base64url"), expiresAt: now + sessionMs };
}

/** The name of a session for lists of those that have ended: nobody can make its token of it. */
export function sessionName(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/**
 * A token that nobody can make or change without the key: `v1.<claims>.<HMAC-SHA256>`, both parts in base64url. The claims
 * are not secret.
 */
export function signSession(key: Uint8Array, claims: SessionClaims): string {
  const signed = `${version}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
  return `${signed}.${mac(key, signed).toString("base64url")}`;
}

/** The claims of a token that was signed with this key and has not expired; null for any other text. */
export function verifySession(key: Uint8Array, token: string, now: number): SessionClaims | null {
  const parts = partsOf(token);
  if (!parts) return null;
  // As text: several texts decode to the same bytes, and a token that was ended is known by its text.
  const found = Buffer.from(parts.mac);
  const expected = Buffer.from(mac(key, parts.signed).toString("base64url"));
  if (found.length !== expected.length || !timingSafeEqual(found, expected)) return null;
  const claims = JSON.parse(Buffer.from(parts.claims, "base64url").toString()) as SessionClaims;
  return claims.expiresAt > now ? claims : null;
}

/** Whether a text has the form of a token. It may be forged or expired. */
export function hasSessionForm(token: string): boolean {
  return partsOf(token) !== undefined;
}

function partsOf(token: string): { signed: string; claims: string; mac: string } | undefined {
  if (token.length > maxLength) return undefined;
  const [, signed, claims, mac] = /^(v1\.([\w-]+))\.([\w-]{43})$/.exec(token) ?? [];
  return signed && claims && mac ? { signed, claims, mac } : undefined;
}

function mac(key: Uint8Array, signed: string): Buffer {
  return createHmac("sha256", key).update(signed).digest();
}
