import type { IncomingHttpHeaders } from "node:http";
import {
  cannotKeepCookie,
  expiredCookie,
  isForeignPage,
  readSessionCookie,
  sessionCookie,
} from "../../../../services/api/session/session-cookie.ts";

const local = "localhost:3000";
const remote = "magpie.example";
const plain = { host: local, cookie: "magpie=t" };
const secure = { host: remote, cookie: "__Host-magpie=t" };
const same = { "sec-fetch-site": "same-origin" };
const csrf = { "x-magpie-csrf": "1" };

describe("the cookie counts", () => {
  test.each<[string, string, IncomingHttpHeaders]>([
    ["a read of a page of this origin", "GET", { ...plain, ...same }],
    ["the same behind https", "GET", { ...secure, ...same }],
    ["a HEAD", "HEAD", { ...secure, ...same }],
    [
      "an equal origin, from a browser without fetch metadata",
      "GET",
      { ...secure, origin: `https://${remote}` },
    ],
    ["an equal origin with a port", "GET", { ...plain, origin: `http://${local}` }],
    ["an origin in other case", "GET", { ...secure, host: "Magpie.Example", origin: `https://${remote}` }],
    ["a write with the header", "POST", { ...secure, ...same, ...csrf }],
    ["among others", "GET", { ...same, host: remote, cookie: "a=b; __Host-magpie=t; magpie=x" }],
    ["on a loopback address", "GET", { ...plain, ...same, host: "127.0.0.1:3000" }],
    ["on the IPv6 loopback address", "GET", { ...plain, ...same, host: "[::1]:3000" }],
    ["below localhost", "GET", { ...plain, ...same, host: "app.localhost:3000" }],
  ])("%s", (_, method, headers) => {
    expect(readSessionCookie({ method, headers })).toEqual({ token: "t" });
  });
});

describe("the cookie does not count, and why is said", () => {
  test.each<[string, string, IncomingHttpHeaders, string]>([
    ["a page of another site", "GET", { ...secure, "sec-fetch-site": "cross-site" }, "Sec-Fetch-Site"],
    ["a sibling domain", "GET", { ...secure, "sec-fetch-site": "same-site" }, "Sec-Fetch-Site"],
    ["the address bar", "GET", { ...secure, "sec-fetch-site": "none" }, "Sec-Fetch-Site"],
    [
      "a foreign site with our origin",
      "GET",
      { ...secure, "sec-fetch-site": "cross-site", origin: `https://${remote}` },
      "Sec-Fetch-Site",
    ],
    ["neither header", "GET", secure, "Sec-Fetch-Site"],
    ["another origin", "GET", { ...secure, origin: "https://evil.example" }, "Sec-Fetch-Site"],
    ["another port", "GET", { ...plain, origin: "http://localhost:8080" }, "Sec-Fetch-Site"],
    ["no origin", "GET", { ...secure, origin: "null" }, "Sec-Fetch-Site"],
    ["an origin that ends as ours", "GET", { ...secure, origin: `https://evil-${remote}` }, "Sec-Fetch-Site"],
    [
      "an origin that goes on",
      "GET",
      { ...secure, origin: `https://${remote}.evil.example` },
      "Sec-Fetch-Site",
    ],
    ["a write without the header", "POST", { ...secure, ...same }, "x-magpie-csrf"],
    [
      "a write with another value",
      "DELETE",
      { ...secure, ...same, "x-magpie-csrf": "true" },
      "x-magpie-csrf",
    ],
    ["a method that nobody knows", "PURGE", { ...secure, ...same }, "x-magpie-csrf"],
  ])("%s", (_, method, headers, reason) => {
    expect(readSessionCookie({ method, headers })).toEqual({ refusal: expect.stringContaining(reason) });
  });
});

describe("there is no cookie to count", () => {
  test.each<[string, IncomingHttpHeaders]>([
    ["beside an API key", { ...secure, ...same, "x-api-key": "k" }],
    ["beside a bearer token", { ...secure, ...same, authorization: "bearer k" }],
    ["beside the admin key", { ...secure, ...same, "x-admin-key": "k" }],
    ["without one", { ...same, host: remote }],
    ["of another name", { ...same, host: remote, cookie: "other=t; xmagpie=t" }],
    [
      "without the prefix, where anybody on the way could have set it",
      { ...same, host: remote, cookie: "magpie=t" },
    ],
    [
      "the same on an address that only begins like loopback",
      { ...same, host: "127.0.0.1.evil.example", cookie: "magpie=t" },
    ],
    ["the same on a name that only ends like it", { ...same, host: "notlocalhost", cookie: "magpie=t" }],
  ])("%s", (_, headers) => {
    expect(readSessionCookie({ method: "GET", headers })).toEqual({});
  });
});

test.each<[string, IncomingHttpHeaders, string]>([
  [
    "plain on this machine",
    { host: local, origin: `http://${local}` },
    "magpie=t; Path=/; HttpOnly; SameSite=Strict; Max-Age=60",
  ],
  [
    "plain for a program on this machine",
    { host: "127.0.0.1:1" },
    "magpie=t; Path=/; HttpOnly; SameSite=Strict; Max-Age=60",
  ],
  [
    "secure elsewhere",
    { host: remote },
    "__Host-magpie=t; Secure; Path=/; HttpOnly; SameSite=Strict; Max-Age=60",
  ],
  [
    "secure behind a proxy that replaces Host",
    { host: local, origin: `https://${remote}` },
    "__Host-magpie=t; Secure; Path=/; HttpOnly; SameSite=Strict; Max-Age=60",
  ],
])("it is set %s", (_, headers, expected) => {
  expect(sessionCookie(headers, "t", 60)).toBe(expected);
  expect(expiredCookie(headers)).toBe(expected.replace("=t;", "=;").replace("Max-Age=60", "Max-Age=0"));
});

test.each<[IncomingHttpHeaders, boolean]>([
  [{ host: remote }, false],
  [{ host: remote, ...same }, false],
  [{ host: remote, origin: `https://${remote}` }, false],
  [{ host: remote, origin: "https://evil.example" }, true],
  [{ host: remote, "sec-fetch-site": "cross-site" }, true],
  [{ host: remote, "sec-fetch-site": "none" }, true],
])("a page with %j is foreign: %s", (headers, expected) => {
  expect(isForeignPage(headers)).toBe(expected);
});

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ["https://magpie.example", false],
  ["http://localhost:3000", false],
  ["http://127.0.0.1:3000", false],
  ["http://192.168.1.5:3000", true],
  ["http://magpie.example", true],
])("a browser at %s cannot keep the cookie: %s", (origin, expected) => {
  expect(cannotKeepCookie({ origin })).toBe(expected);
});
