import { redactor } from "../../../mixins/logger/redact.ts";

const key = "mk_iF1SLMFTksrWwfmTU1PxNjfmFW7A2X5b4LuvAd";

test.each([
  [`key ${key} used`, "key mk_[redacted] used"],
  ['{"x-api-key":"abc def"}', '{"x-api-key":"[redacted]"}'],
  ["{ 'x-admin-key': 'abc' }", "{ 'x-admin-key': \"[redacted]\" }"],
  ["secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", 'secret: "[redacted]"'],
  ["via http://user:pass@proxy.example:8080/", "via http://[redacted]@proxy.example:8080/"],
  ["the configured-secret-value here", "the [redacted] here"],
  ["nothing to hide: keyId=01ABC", "nothing to hide: keyId=01ABC"],
])("%s", (line, redacted) => {
  expect(redactor(["configured-secret-value"])(line)).toBe(redacted);
});

test("a redacted JSON line is still JSON", () => {
  const line = JSON.stringify({ event: "x", adminKey: 'a"b', url: "https://u:p@h/", key });
  expect(JSON.parse(redactor()(line))).toMatchObject({
    adminKey: "[redacted]",
    url: "https://[redacted]@h/",
  });
});
