import { crawlScope } from "../../../../services/domain/crawl/crawl-scope.ts";

const narrow = { include_entire_domain: false, include_subdomains: false, include_external_links: false };

const entry = "https://www.site.example/docs/start.html";
const all = {
  domain: "include_entire_domain",
  below: "include_subdomains",
  external: "include_external_links",
};

/** URL, and where it lies with no option and with each of them alone. */
test.each([
  ["https://www.site.example/docs/start.html", "inside", "inside", "inside", "inside"],
  ["https://www.site.example/docs/", "inside", "inside", "inside", "inside"],
  ["https://www.site.example/docs", "inside", "inside", "inside", "inside"],
  ["https://www.site.example/docs/a/b?c", "inside", "inside", "inside", "inside"],
  ["https://www.site.example/%64ocs/a", "inside", "inside", "inside", "inside"],
  ["http://www.site.example/docs/a", "inside", "inside", "inside", "inside"],
  ["https://site.example/docs/a", "inside", "inside", "inside", "inside"],
  ["https://site.example./docs/a", "inside", "inside", "inside", "inside"],
  ["https://www.site.example/docs/../other", "outside", "inside", "outside", "outside"],
  ["https://www.site.example/", "outside", "inside", "outside", "outside"],
  ["https://www.site.example/docs2/a", "outside", "inside", "outside", "outside"],
  ["https://www.site.example/Docs/a", "outside", "inside", "outside", "outside"],
  ["https://blog.site.example/a", "outside", "outside", "inside", "external"],
  ["https://a.b.site.example/docs/a", "outside", "outside", "inside", "external"],
  ["https://notsite.example/docs/a", "outside", "outside", "outside", "external"],
  ["https://site.example.org/docs/a", "outside", "outside", "outside", "external"],
  ["https://www.site.example:8443/docs/a", "outside", "outside", "outside", "external"],
  ["mailto:a@site.example", "outside", "outside", "outside", "outside"],
  ["no url", "outside", "outside", "outside", "outside"],
])("%s", (url, ...expected) => {
  const options = [narrow, ...Object.values(all).map(name => ({ ...narrow, [name]: true }))];
  expect(options.map(each => crawlScope(entry, each)(url))).toEqual(expected);
});

test.each([
  ["https://site.example", "https://site.example/a/b", "inside"],
  ["https://site.example/docs", "https://site.example/other", "inside"],
  ["https://site.example/docs/", "https://site.example/docs", "inside"],
  ["https://site.example/docs/", "https://site.example/other", "outside"],
  ["http://127.0.0.1:8080/a/", "http://127.0.0.1:8080/a/b", "inside"],
  ["http://127.0.0.1:8080/a/", "http://127.0.0.1:8081/a/b", "outside"],
])("from %s, %s is %s", (from, url, expected) => {
  expect(crawlScope(from, narrow)(url)).toBe(expected);
});
