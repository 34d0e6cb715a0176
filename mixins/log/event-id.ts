import { hash } from "node:crypto";
import { encodeTime } from "ulid";

/** Crockford's base32, as in ULIDs. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * The id of an event in one key's log: `evt_` and a ULID whose time is the event's `timestamp` and whose 80 random bits
 * are a hash of key and body, so that ids sort by time and a repeated step makes no second id.
 */
export function eventId(keyId: string, bodyId: string, timestamp: string): string {
  const digest = hash("sha256", JSON.stringify([keyId, bodyId]), "buffer");
  return `evt_${encodeTime(Date.parse(timestamp), 10)}${base32(digest.subarray(0, 10))}`;
}

function base32(bytes: Uint8Array): string {
  let text = "";
  let [bits, held] = [0, 0];
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff;
    held += 8;
    for (; held >= 5; held -= 5) text += alphabet.charAt((bits >> (held - 5)) & 31);
  }
  return text;
}
