import { createHash, timingSafeEqual } from "node:crypto";

export type AdminCheck = (value: string) => boolean;

/** Compares digests, so that neither the length nor a common beginning shows in the time taken. */
export function adminCheck(adminKey: string): AdminCheck {
  const expected = digest(adminKey);
  return value => timingSafeEqual(digest(value), expected);
}

function digest(value: string): Buffer {
  return createHash("sha256").update(value).digest();
}
