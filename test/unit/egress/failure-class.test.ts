import { failureClass } from "../../../mixins/egress/failure-class.ts";

const error = (code: string, cause?: unknown) => Object.assign(new Error(code, { cause }), { code });

test.each([
  ["ENOTFOUND", "dns"],
  ["EAI_AGAIN", "dns"],
  ["ECONNREFUSED", "refused"],
  ["EHOSTUNREACH", "unreachable"],
  ["ENETUNREACH", "unreachable"],
  ["ECONNRESET", "reset"],
  ["EPIPE", "reset"],
  ["UND_ERR_SOCKET", "reset"],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout_connect"],
  ["ETIMEDOUT", "timeout_connect"],
  ["UND_ERR_HEADERS_TIMEOUT", "timeout_answer"],
  ["UND_ERR_BODY_TIMEOUT", "timeout_answer"],
  ["CERT_HAS_EXPIRED", "tls_expired"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "tls_host"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls_other"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls_other"],
  ["CERT_NOT_YET_VALID", "tls_other"],
  ["EPROTO", "tls_other"],
  ["UND_ERR_HEADERS_OVERFLOW", "malformed"],
  ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "reset"],
  ["EGRESS_REFUSED", "not_allowed"],
])("%s is %s, however deep it lies", (code, name) => {
  expect(failureClass(error(code))).toBe(name);
  expect(failureClass(new TypeError("outside", { cause: error(code) }))).toBe(name);
  expect(failureClass(new AggregateError([new Error("first"), error(code)]))).toBe(name);
});

test.each([new Error("other side closed"), "text", null, undefined, {}])(
  "what has no code has lost its connection: %p",
  thrown => {
    expect(failureClass(thrown)).toBe("reset");
  },
);
