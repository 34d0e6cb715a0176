import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const bodyLength = 32;
const checkLength = 6;
const form = /^mk_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** A new key value: `mk_`, 190 random bits in base 62, and a checksum. `random` returns unpredictable bytes. */
export function generateKey(random: (size: number) => Uint8Array): string {
  let body = "";
  while (body.length < bodyLength) body += base62(random(bodyLength - body.length));
  return `mk_${body}${check(body)}`;
}

/** Whether a text has the form of a key, with a valid check. Does not know which keys exist. */
export function hasKeyForm(value: string): boolean {
  const [, body, found] = form.exec(value) ?? [];
  return body !== undefined && check(body) === found;
}

/** Writes a digit for each byte below 4 * 62. Drops the others, which would favour the first digits. */
function base62(bytes: Uint8Array): string {
  return [...bytes].map(byte => (byte < 248 ? alphabet[byte % 62] : "")).join("");
}

/** CRC-32 (as in zlib) of the body, in base 62, padded with zeros. */
function check(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let n = 0; n < checkLength; n += 1) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
