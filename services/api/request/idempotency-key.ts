import type { IncomingHttpHeaders } from "node:http";
import { invalid } from "../../contracts/errors.ts";

/** 1 to 255 visible characters of ASCII; a header that came twice is joined by a blank, and none. */
const acceptable = /^[!-~]{1,255}$/;

/** The request's `Idempotency-Key`; undefined without one. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && acceptable.test(key)) return key;
  throw invalid(
    "idempotency-key",
    "malformed",
    "The header Idempotency-Key takes 1 to 255 visible ASCII characters, without blanks.",
  );
}
