import { createHmac } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const [stepMs, digits] = [30_000, 6];

/** The one-time password of a moment (RFC 6238, with the HOTP of RFC 4226: SHA-1, six digits, 30 s). */
export function totp(seed: string, nowMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / stepMs)));
  const hash = createHmac("sha1", fromBase32(seed)).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 0xf;
  const number = hash.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** Bytes of Base32 (RFC 4648, 6), in either case and with spaces. */
function fromBase32(text: string): Buffer {
  const characters = text.replace(/[\s=]/g, "").toUpperCase();
  const bits = [...characters].map(each => alphabet.indexOf(each).toString(2).padStart(5, "0")).join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map(each => Number.parseInt(each, 2)));
}
