import { toConfig } from "../../../mixins/config/config.ts";
import { intervalWithHub } from "../../../services/connectors/poll-interval.ts";
import { isSigned } from "../../../services/connectors/websub/callbacks.ts";
import { findHub } from "../../../services/connectors/websub/subscribe.ts";

const url = "https://site.example/dir/feed";
const ofFeed = {
  hubs: ["https://hub.example/f", "https://hub.example/g"],
  selfUrl: "https://site.example/f",
};

test.each<[string, string | undefined, Parameters<typeof findHub>[1], [string, string] | undefined]>([
  ["nothing names one", undefined, { hubs: [] }, undefined],
  ["only itself", `<${url}>; rel="self"`, { hubs: [] }, undefined],
  [
    "headers before the document",
    '<https://hub.example/h>; rel="hub", <https://site.example/h>; rel="self"',
    ofFeed,
    ["https://hub.example/h", "https://site.example/h"],
  ],
  ["the document", undefined, ofFeed, ["https://hub.example/f", "https://site.example/f"]],
  ["a document without self", undefined, { hubs: ["https://hub.example/f"] }, ["https://hub.example/f", url]],
  [
    "no document",
    "</hub>;rel=hub,<../f>;rel=self",
    undefined,
    ["https://site.example/hub", "https://site.example/f"],
  ],
  ["several relations", '<?x>; title="a, <b>; rel=no"; REL="other HUB"', undefined, [`${url}?x`, url]],
  [
    "the first of two",
    "<https://a.example/>; rel=hub, <https://b.example/>; rel=hub",
    undefined,
    ["https://a.example/", url],
  ],
  ["links of others", '<https://a.example/>; rel=hub; anchor="/x"', undefined, undefined],
  ["what is no URL to ask", "<mailto:a@b>; rel=hub", undefined, undefined],
  ["a broken header", '<https://a.example/; rel=hub, <<>>; rel="', undefined, undefined],
  ["one that is too long", `<https://a.example/${"x".repeat(2048)}>; rel=hub`, undefined, undefined],
])("a feed's hub: %s", (_, link, feed, expected) => {
  const headers: Record<string, string> = link === undefined ? {} : { link };
  const [hub, topic] = expected ?? [];
  expect(findHub({ url, headers }, feed)).toEqual(expected && { url: hub, topic });
});

// Test case 2 of RFC 2202 and RFC 4231.
const sha256 = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
test.each<[string | undefined, boolean]>([
  ["sha1=effcdf6ae5eb2fa2d27416d5f184df9c259a7c79", true],
  [`sha256=${sha256}`, true],
  [`SHA256=${sha256.toUpperCase()}`, true],
  [
    "sha384=af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
    true,
  ],
  [
    "sha512=164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
    true,
  ],
  [`sha256=${sha256.replace("5", "6")}`, false],
  [`sha256=${sha256.slice(2)}`, false],
  [`sha1=${sha256}`, false],
  [sha256, false],
  ["md5=750c783e6ab0b503eaa86e310a5db738", false],
  ["constructor=00", false],
  ["sha256=", false],
  ["", false],
  [undefined, false],
])("the signature %s is good: %s", (header, isGood) =>
  expect(isSigned(Buffer.from("what do ya want for nothing?"), header, "Jefe")).toBe(isGood),
);

const hour = 3_600_000;
test.each([
  ["no lease", hour, undefined, hour],
  ["a fresh lease", hour, 192 * hour, 6 * hour],
  ["a feed that is slower by itself", 20 * hour, 192 * hour, 20 * hour],
  ["a lease to be renewed before", 20 * hour, 2 * hour, 2 * hour],
])("polls beside a hub: %s", (_, intervalMs, renewInMs, expected) =>
  expect(intervalWithHub(intervalMs, renewInMs === undefined ? undefined : { renewInMs })).toBe(expected),
);

test.each([
  ["https://magpie.example", "https://magpie.example"],
  ["http://127.0.0.1:3000/", "http://127.0.0.1:3000"],
])("PUBLIC_URL %s", (value, expected) => expect(toConfig({ PUBLIC_URL: value }).publicUrl).toBe(expected));

test.each([
  "magpie.example",
  "ftp://magpie.example",
  "https://magpie.example/path",
  "https://a:b@magpie.example",
])("PUBLIC_URL %s is refused", value =>
  expect(() => toConfig({ PUBLIC_URL: value })).toThrow(/^PUBLIC_URL: /),
);
