import { originOf, prefersHtml } from "../../../services/api/request/negotiate.ts";
import { codeOf } from "../../../services/contracts/errors.ts";
import { parseAllowList } from "../../../services/domain/url/address-policy.ts";

test.each([
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true],
  ["text/html", true],
  ["text/html;q=0.9,application/json;q=0.8", true],
  ["text/*", true],
  ["*/*", false],
  [undefined, false],
  ["", false],
  ["application/json", false],
  ["application/json, text/html;q=0.9", false],
  ["application/json, text/html", false],
  ["image/png", false],
  ["text/html;q=0", false],
  ["nonsense", false],
])("Accept %j prefers HTML: %s", (accept, expected) => {
  expect(prefersHtml({ headers: accept === undefined ? {} : { accept } })).toBe(expected);
});

const trustedProxies = parseAllowList(["10.0.0.0/8"]);

type Asked = Parameters<typeof originOf>[1];
const asked = (headers: Record<string, string>, remoteAddress = "192.0.2.1") =>
  ({ headers, socket: { remoteAddress } }) as unknown as Asked;

test.each([
  ["the Host", asked({ host: "magpie.test" }), "http://magpie.test"],
  ["its port", asked({ host: "localhost:3000" }), "http://localhost:3000"],
  ["an IPv6 address", asked({ host: "[::1]:3000" }), "http://[::1]:3000"],
  [
    "https of a trusted proxy",
    asked({ host: "m.test", "x-forwarded-proto": "https" }, "10.0.0.9"),
    "https://m.test",
  ],
  [
    "https of a trusted proxy on an IPv6 socket",
    asked({ host: "m.test", "x-forwarded-proto": "https" }, "::ffff:10.0.0.9"),
    "https://m.test",
  ],
  ["https of just anybody", asked({ host: "m.test", "x-forwarded-proto": "https" }), "http://m.test"],
])("the origin from %s", (_, req, origin) => {
  expect(originOf({ publicUrl: undefined, trustedProxies }, req)).toBe(origin);
});

test("the address that the operator gave comes first", () => {
  const context = { publicUrl: "https://magpie.example", trustedProxies };
  expect(originOf(context, asked({ host: "evil.test" }))).toBe("https://magpie.example");
});

test.each([
  "",
  "a b",
  "user@host",
  "host/path",
  "host?x",
  "<script>",
  "host:99999",
  "a\\b",
  "[::1",
  "host:port",
])("a Host of %j is refused", host => {
  const origin = () => originOf({ publicUrl: undefined, trustedProxies }, asked({ host }));
  expect(origin).toThrow(/Host header/);
  try {
    origin();
  } catch (error) {
    expect(codeOf(error)).toBe("validation_failed");
  }
});
