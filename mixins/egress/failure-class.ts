import type { FailureClass } from "../../services/contracts/failure-classes.ts";
import { errorsIn, isRefusal } from "./guard.ts";

/** What the codes of Node, undici and OpenSSL mean; the first that fits one of the error's codes counts. */
const classes: [FailureClass, RegExp][] = [
  ["dns", /^(ENOTFOUND|ENODATA|EAI_.*)$/],
  ["tls_expired", /^CERT_HAS_EXPIRED$/],
  ["tls_host", /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/],
  [
    "tls_other",
    /^(CERT_.*|ERR_TLS_.*|ERR_SSL_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*|INVALID_CA|EPROTO|UND_ERR_PRX_TLS)$/,
  ],
  ["refused", /^ECONNREFUSED$/],
  ["unreachable", /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN|ENETDOWN|EACCES)$/],
  ["timeout_connect", /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/],
  ["timeout_answer", /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/],
  // The connection ended before the answer did.
  ["reset", /^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/],
  // An assertion is what undici says of an answer that switches protocols without saying to which.
  ["malformed", /^(UND_ERR_HEADERS_OVERFLOW|ERR_ASSERTION)$/],
];

/** The class of a failed exchange, by its error at any depth. What has no known code has lost its connection: `reset`. */
export function failureClass(error: unknown): FailureClass {
  if (isRefusal(error)) return "not_allowed";
  const errors = errorsIn(error);
  const known = classes.find(([, codes]) => errors.some(({ code }) => codes.test(String(code))));
  if (known) return known[0];
  return errors.some(isNoAnswer) ? "malformed" : "reset";
}

interface Named {
  name?: unknown;
  message?: unknown;
}

/** undici gives these no code of their own: what does not parse, unless it only ends early, and an unasked switch of protocols. */
function isNoAnswer({ name, message }: Named): boolean {
  if (name === "HTTPParserError") return !String(message).includes("Invalid EOF state");
  return name === "SocketError" && message === "bad upgrade";
}
