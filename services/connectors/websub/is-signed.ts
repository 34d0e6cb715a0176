import { createHmac, timingSafeEqual } from "node:crypto";

/** The methods of W3C WebSub, 7.1. */
const methods = ["sha1", "sha256", "sha384", "sha512"];

/** Whether `X-Hub-Signature` (`<method>=<hex>`) is that of the body. */
export function isSigned(body: Uint8Array, header: string | undefined, secret: string): boolean {
  const [, method = "", given = ""] = /^\s*(\w+)=([0-9a-f]+)\s*$/i.exec(header ?? "") ?? [];
  const name = method.toLowerCase();
  if (!methods.includes(name)) return false;
  const expected = createHmac(name, secret).update(body).digest();
  const signature = Buffer.from(given, "hex");
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}
