import type { FetchedPage } from "../../../services/scraper/fetch/fetch-page.ts";
import { conditionsOf, knownPage, stillKnown } from "../../../services/scraper/fetch/known-page.ts";

const url = "https://shop.example/boots";
const page: FetchedPage = {
  status: 200,
  finalUrl: url,
  redirects: [],
  headers: { etag: 'W/"1"', "last-modified": "Mon, 02 Mar 2026 09:00:00 GMT" },
  contentType: "text/html; charset=utf-8",
  body: Buffer.from("<p>39 EUR</p>"),
  setCookies: [],
};
const known = knownPage(page);
const notModified = { ...page, status: 304, headers: {}, contentType: "", body: Buffer.alloc(0) };

test("the same answer is the same page", () => expect(stillKnown(known, { ...page })).toEqual(known));

test.each<[string, Partial<FetchedPage>]>([
  ["another text", { body: Buffer.from("<p>38 EUR</p>") }],
  ["no text", { body: Buffer.alloc(0) }],
  ["another charset", { contentType: "text/html; charset=windows-1252" }],
  ["another type", { contentType: "text/plain; charset=utf-8" }],
  ["another address", { finalUrl: "https://shop.example/login", redirects: [url] }],
  ["a way there by another address", { redirects: ["https://shop.example/login"] }],
  ["another status", { status: 203 }],
  ["an error", { status: 503 }],
  ["a challenge", { headers: { "cf-mitigated": "challenge" } }],
])("%s is not", (_, change) => expect(stillKnown(known, { ...page, ...change })).toBeUndefined());

test("headers that say nothing of the text do not count", () => {
  const headers = { etag: 'W/"2"', date: "now", "set-cookie": "a=b", vary: "cookie" };
  expect(stillKnown(known, { ...page, headers })).toEqual({
    ...known,
    etag: 'W/"2"',
    lastModified: undefined,
  });
});

test("304 keeps what is known, with newer validators", () => {
  expect(stillKnown(known, notModified)).toEqual(known);
  expect(stillKnown(known, { ...notModified, headers: { etag: '"2"' } })).toEqual({ ...known, etag: '"2"' });
});

test("304 is no answer where nothing was asked, or for another address", () => {
  const { url: found, fingerprint } = known;
  expect(stillKnown({ url: found, fingerprint }, notModified)).toBeUndefined();
  expect(stillKnown(known, { ...notModified, finalUrl: "https://shop.example/login" })).toBeUndefined();
});

test("a request asks by what the server gave", () => {
  expect(conditionsOf(known)).toEqual({
    url,
    headers: { "if-none-match": 'W/"1"', "if-modified-since": "Mon, 02 Mar 2026 09:00:00 GMT" },
  });
  const { etag: _, lastModified: __, ...without } = known;
  expect(conditionsOf(without)).toBeUndefined();
});

test("a validator that cannot be sent is none", () => {
  const headers = { etag: `"${"x".repeat(2000)}"`, "last-modified": "M\u00e4rz" };
  expect(conditionsOf(knownPage({ ...page, headers }))).toBeUndefined();
});
