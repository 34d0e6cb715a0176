import { createHmac, randomBytes } from "node:crypto";
import { seal, sealingKey, subKey, unseal } from "../domain/key/seal.ts";
import { type SessionClaims, signSession, verifySession } from "../domain/session/session-token.ts";

/** Everything that needs the master secret. No derived key leaves this file. */
export interface KeyVault {
  /** The HMAC by which a key value is found; useless without the secret. */
  lookup(value: string): string;
  seal(value: string, owner: string, id: string): string;
  unseal(sealed: string, owner: string, id: string): string;
  /** Seals text of other services; `recordId` binds it to one record. */
  sealText(text: string, recordId: string): string;
  unsealText(sealed: string, recordId: string): string;
  /** Names a key so that only this installation can read it, bound to what a link opens. */
  signLink(keyId: string, opens: string[]): string;
  /** The key of a link; null for one that was not signed here, or opens something else. */
  readLink(signature: string, opens: string[]): string | null;
  signSession(claims: SessionClaims): string;
  /** Null for a token that was not signed here, or has expired. */
  verifySession(token: string, now: number): SessionClaims | null;
}

export function openVault(masterSecret: string): KeyVault {
  const lookupKey = subKey(masterSecret, "keys/lookup/v1");
  const valueKey = sealingKey(masterSecret, "keys/value/v1");
  const textKey = sealingKey(masterSecret, "keys/text/v1");
  const linkKey = sealingKey(masterSecret, "keys/link/v1");
  const sessionKey = subKey(masterSecret, "keys/session/v1");
  return {
    lookup: value => createHmac("sha256", lookupKey).update(value).digest("base64url"),
    seal: (value, owner, id) => seal(valueKey, value, [owner, id], randomBytes(12)),
    unseal: (sealed, owner, id) => unseal(valueKey, sealed, [owner, id]),
    sealText: (text, recordId) => seal(textKey, text, [recordId], randomBytes(12)),
    unsealText: (sealed, recordId) => unseal(textKey, sealed, [recordId]),
    signLink: (keyId, opens) => seal(linkKey, keyId, opens, randomBytes(12)),
    readLink: (signature, opens) => {
      try {
        return unseal(linkKey, signature, opens);
      } catch {
        // Anybody can send any text here, and all that is wrong with it means the same.
        return null;
      }
    },
    signSession: claims => signSession(sessionKey, claims),
    verifySession: (token, now) => verifySession(sessionKey, token, now),
  };
}
