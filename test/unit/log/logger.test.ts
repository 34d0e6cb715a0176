import { jsonLine, prettyLine, redactor } from "../../../mixins/log/logger.ts";
import { sizeOf } from "../../support/long-run.ts";

const key = "mk_iF1SLMFTksrWwfmTU1PxNjfmFW7A2X5b4LuvAd";

test.each([
  [`key ${key} used`, "key mk_[redacted] used"],
  ['{"x-api-key":"abc def"}', '{"x-api-key":"[redacted]"}'],
  ["{ 'x-admin-key': 'abc' }", "{ 'x-admin-key': '[redacted]' }"],
  ["secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "secret: [redacted]"],
  ["via http://user:pass@proxy.example:8080/", "via http://[redacted]@proxy.example:8080/"],
  ["the configured-secret-value here", "the [redacted] here"],
  ["nothing to hide: keyId=01ABC", "nothing to hide: keyId=01ABC"],
  ["https://host.example/a?mail=b@c.example", "https://host.example/a?mail=b@c.example"],
  ["the apiKeyId: 01ABC", "the apiKeyId: 01ABC"],
])("%s", (line, redacted) => {
  expect(redactor(["configured-secret-value"])(line)).toBe(redacted);
});

describe.each([jsonLine, prettyLine])("%p", format => {
  const headers = {
    authorization: "Bearer LEAK",
    cookie: "a=LEAK; b=LEAK",
    "set-cookie": ["a=LEAK; Path=/", "b=LEAK"],
    "x-api-key": "LEAK",
  };

  test.each<[string, unknown]>([
    ["headers", headers],
    ["JSON in a text", JSON.stringify({ headers, cookies: [{ name: "a", value: "LEAK" }] })],
    ["JSON in JSON in a text", JSON.stringify({ body: JSON.stringify(headers) })],
    ["an error", new Error(`refused: ${JSON.stringify(headers)} Authorization: Token LEAK`)],
    ["a command", "curl -H 'Authorization: Basic LEAKLEAK' -H 'Cookie: s=LEAK; t=LEAK' https://u:LE@AK@h/"],
    ["a proxy", { proxy: "socks5://user:LEAK@10.0.0.1:1080" }],
  ])("%s", (_name, value) => {
    const line = redactor()(format("info", ["event", { value, after: "kept" }], {}));
    expect(line).not.toMatch(/LEAK|AK@/);
    expect(line).toContain("kept");
    if (format === jsonLine) expect(JSON.parse(line)).toMatchObject({ event: "event", after: "kept" });
  });
});

test("a redacted JSON line is still JSON", () => {
  const line = JSON.stringify({ event: "x", adminKey: 'a"b', url: "https://u:p@h/", key });
  expect(JSON.parse(redactor()(line))).toMatchObject({
    adminKey: "[redacted]",
    url: "https://[redacted]@h/",
  });
});

test.each(["a-", 'password: "', "cookie=[", "cookie: \\'", "http://", "bearer ", "\\\\"])(
  "a long line of %s does not hold the process up",
  part => expect(redactor()(part.repeat(sizeOf(20_000, 100_000)))).not.toBe(""),
);
