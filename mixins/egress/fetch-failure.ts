import { codeOf, fail } from "../../services/contracts/errors.ts";
import { errorsIn, refusalOf } from "./egress.ts";

const tlsError =
  /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO$)/;
const timedOut = /TIMEOUT|ETIMEDOUT/;
const noName = /^(ENOTFOUND|EAI_|ENODATA)/;

/** What went wrong in a fetch, as the client may read it. An abort is the signal's own reason. */
export function fetchFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (codeOf(error)) return error;
  const refusal = refusalOf(error);
  if (refusal) return refusal;
  const codes = errorsIn(error).map(({ code }) => String(code));
  const has = (pattern: RegExp) => codes.some(code => pattern.test(code));
  if (has(tlsError)) return fail("tls_error", "The site's TLS handshake or certificate failed.", {}, error);
  if (has(noName)) return fail("target_unreachable", "The site's name does not resolve.", {}, error);
  if (has(timedOut)) return fail("target_unreachable", "The site did not answer in time.", {}, error);
  return fail("target_unreachable", "The site refused or broke the connection.", {}, error);
}

/** A kept-alive connection that the server closed just as it was used again; what may arrive twice may be sent anew. */
export function isStaleConnection(error: unknown): boolean {
  return errorsIn(error).some(each => {
    const { code, socket } = each as { code?: unknown; socket?: { bytesRead?: number } };
    return code === "UND_ERR_SOCKET" && (socket?.bytesRead ?? 0) > 0;
  });
}
