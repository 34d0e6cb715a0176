import { errorsIn, isRefusal } from "../../../mixins/egress/egress.ts";
import type { Delivery } from "../../contracts/webhook.contract.ts";

const tlsError =
  /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO$)/;
const timeoutError = /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/;

/** Why no answer came, from the error of the connection. */
export function failureClass(error: unknown): NonNullable<Delivery["error"]> {
  if (isRefusal(error)) return "refused";
  const codes = errorsIn(error).map(({ code }) => String(code));
  if (codes.some(code => tlsError.test(code))) return "tls";
  if (codes.some(code => timeoutError.test(code))) return "timeout";
  return "connection";
}
