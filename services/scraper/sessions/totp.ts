import { Secret, TOTP } from "otpauth";

/** The one-time password of a moment (RFC 6238: SHA-1, six digits, 30 s). The seed is Base32, in either case and with spaces. */
export function totp(seed: string, nowMs: number): string {
  return new TOTP({ secret: Secret.fromBase32(seed) }).generate({ timestamp: nowMs });
}
