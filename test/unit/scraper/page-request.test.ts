import type { ScrapeRequest } from "../../../services/contracts/scraper.contract.ts";
import { keepToOwnSite } from "../../../services/scraper/page-request.ts";

const directed = { enabled: true, actions: [{ type: "type", text: "secret" }], wait_for: { ms: 1 } };

test.each([
  ["http://a.example/x", "http://a.example/", directed],
  ["http://www.a.example/", "http://a.example/", directed],
  ["http://b.a.example/", "https://a.example/", directed],
  ["http://b.example/", "http://a.example/", { enabled: true }],
  ["http://xa.example/", "http://a.example/", { enabled: true }],
  ["http://a.example:81/", "http://a.example/", { enabled: true }],
])("actions and waits for %s in a crawl of %s", (url, entryUrl, js_render) => {
  const request = { url, request: {}, js_render: directed } as unknown as ScrapeRequest;
  expect(keepToOwnSite(request, entryUrl).js_render).toEqual(js_render);
});
