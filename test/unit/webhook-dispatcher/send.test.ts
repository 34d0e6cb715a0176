import { failureClass } from "../../../services/webhook-dispatcher/sending/send.ts";

const error = (code: string, cause?: unknown) => Object.assign(new Error(code, { cause }), { code });

test.each([
  ["ECONNREFUSED", "connection"],
  ["ECONNRESET", "connection"],
  ["ENOTFOUND", "connection"],
  ["UND_ERR_SOCKET", "connection"],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
  ["ETIMEDOUT", "timeout"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "tls"],
  ["CERT_HAS_EXPIRED", "tls"],
  ["EGRESS_REFUSED", "refused"],
])("%s is %s, however deep it lies", (code, name) => {
  expect(failureClass(error(code))).toBe(name);
  expect(failureClass(new TypeError("outside", { cause: error(code) }))).toBe(name);
});

test("what has no code is a matter of the connection", () => {
  expect(failureClass(new Error("other side closed"))).toBe("connection");
});
