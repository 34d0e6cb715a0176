import { canonicalUrl } from "../../../../services/domain/url/canonical-url.ts";

const keyOf = (url: string) => canonicalUrl(url)?.key;

test.each([
  ["case of scheme and host", "https://site.example/A", "HTTPS://Site.EXAMPLE/A"],
  ["default ports", "https://site.example/a", "https://site.example:443/a"],
  ["default ports of http", "http://site.example/a", "http://site.example:80/a"],
  ["http and https", "https://site.example/a", "http://site.example/a"],
  ["www", "https://site.example/a", "https://www.site.example/a"],
  ["a dot behind the host", "https://site.example/a", "https://site.example./a"],
  ["IDN", "https://bücher.example/a", "https://xn--bcher-kva.example/a"],
  ["fragments", "https://site.example/a", "https://site.example/a#part"],
  ["empty fragments", "https://site.example/a", "https://site.example/a#"],
  ["no path", "https://site.example", "https://site.example/"],
  ["dot segments", "https://site.example/b/c", "https://site.example/a/../b/./c"],
  ["encoded dot segments", "https://site.example/b/c", "https://site.example/a/%2e%2E/b/c"],
  [
    "escapes of unreserved characters",
    "https://site.example/~a-b_c.d1",
    "https://site.example/%7Ea%2Db%5Fc%2Ed%31",
  ],
  ["case of escapes", "https://site.example/a%2Fb", "https://site.example/a%2fb"],
  ["bare and escaped UTF-8", "https://site.example/ü?q=ü", "https://site.example/%c3%bc?q=%C3%BC"],
  ["bare and escaped blanks", "https://site.example/a b", "https://site.example/a%20b"],
  ["empty queries", "https://site.example/a", "https://site.example/a?"],
  ["empty parameters", "https://site.example/a?x=1", "https://site.example/a?&x=1&"],
  ["a slash at the end", "https://site.example/a", "https://site.example/a/"],
  ["a slash before the query", "https://site.example/a?x=1", "https://site.example/a/?x=1"],
  ["index.html", "https://site.example/", "https://site.example/index.html"],
  ["index.php", "https://site.example/a/", "https://site.example/a/index.php"],
  ["default.aspx", "https://site.example/a/", "https://site.example/a/Default.aspx"],
  ["index files with a query", "https://site.example/?x=1", "https://site.example/index.htm?x=1"],
  ["session ids in the path", "https://site.example/a", "https://site.example/a;jsessionid=0A1B.node1"],
  ["session ids within the path", "https://site.example/a/b", "https://site.example/a;JSESSIONID=0A/b"],
  ["session ids behind index files", "https://site.example/", "https://site.example/index.jsp;jsessionid=1"],
  [
    "session ids in the query",
    "https://site.example/a",
    "https://site.example/a?PHPSESSID=x&ASPSESSIONIDQQ=y",
  ],
  [
    "tracking parameters",
    "https://site.example/a?id=1",
    "https://site.example/a?utm_source=x&id=1&UTM_Medium=y&gclid=z",
  ],
  ["tracking parameters alone", "https://site.example/a", "https://site.example/a?fbclid=1&_ga=2&mc_eid"],
  ["escaped names of tracking parameters", "https://site.example/a", "https://site.example/a?%75tm_source=1"],
  ["order of parameters", "https://site.example/a?a=1&b=2&c", "https://site.example/a?c&b=2&a=1"],
])("one page whatever the %s", (_what, one, other) => {
  expect(keyOf(other)).toBe(keyOf(one));
  expect(keyOf(one)).toBeDefined();
});

test("one page whatever the query, where it is ignored", () => {
  const keys = ["https://site.example/a", "https://site.example/a?x=1", "https://www.site.example/a/?y"].map(
    url => canonicalUrl(url, { ignoresQuery: true })?.key,
  );
  expect(new Set(keys)).toEqual(new Set(["site.example/a"]));
});

test.each([
  ["https://site.example/a", "https://site.example/A"],
  ["https://site.example/a", "https://docs.site.example/a"],
  ["https://site.example/a", "https://site.example:8443/a"],
  ["https://site.example/a", "https://site.example/a?x"],
  ["https://site.example/a?x", "https://site.example/a?x="],
  ["https://site.example/a?x=1&x=2", "https://site.example/a?x=2&x=1"],
  ["https://site.example/a/b", "https://site.example/a%2Fb"],
  ["https://site.example/a?b", "https://site.example/a%3Fb"],
  ["https://site.example/a?x=a%26b", "https://site.example/a?x=a&b"],
  ["https://site.example/a//b", "https://site.example/a/b"],
  ["https://site.example/index.html.bak", "https://site.example/"],
  ["https://site.example/myindex.html", "https://site.example/"],
  ["https://site.example/a?utmost=1", "https://site.example/a"],
  ["https://site.example/a?ref=b", "https://site.example/a"],
  ["https://site.example/a;v=1", "https://site.example/a"],
  ["https://www.example/", "https://example/"],
])("two pages: %s and %s", (one, other) => {
  expect(keyOf(one)).not.toBe(keyOf(other));
});

test.each([
  ["https://Site.example:443/A/?utm_source=x&b=2&a=1#part", "https://site.example/A/?utm_source=x&b=2&a=1"],
  ["http://www.site.example/index.html;jsessionid=1", "http://www.site.example/index.html;jsessionid=1"],
  ["https://site.example/?#", "https://site.example/"],
])("%s is fetched as it was linked", (text, url) => {
  expect(canonicalUrl(text)?.url).toBe(url);
});

test("a key is the same for what it fetches", () => {
  for (const text of [
    "http://www.site.example/a/index.html?b&a#x",
    "https://site.example/%7e/;sid=1?q=%c3%bc",
  ])
    expect(keyOf(canonicalUrl(text)?.url ?? "")).toBe(keyOf(text));
});

test.each([
  "mailto:a@site.example",
  "javascript:void(0)",
  "ftp://site.example/",
  "/relative",
  "",
  "http://",
  "https://user:pass@site.example/",
  `https://site.example/${"a".repeat(2048)}`,
])("%.40s is no page", text => {
  expect(canonicalUrl(text)).toBeUndefined();
});

test("odd texts do no harm", () => {
  expect(keyOf("https://site.example/%E0%A4%A/%zz?%=%&\ud800=1")).toBe(
    "site.example/%E0%A4%A/%zz?%=%&%EF%BF%BD=1",
  );
});
