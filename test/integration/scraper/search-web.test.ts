import type { SearchRequest } from "../../../services/contracts/search.contract.ts";
import { searchWeb } from "../../../services/scraper/fetch/search-web.ts";
import { type Site, startSite } from "../../support/http-site.ts";

let site: Site;

beforeAll(async () => {
  site = await startSite((request, response) => {
    const [, kind] = (request.url ?? "").split("/");
    if (kind === "forbidden") return response.writeHead(403).end("<h1>Forbidden</h1>");
    if (kind === "html") return response.end("<!doctype html>");
    if (kind === "refused")
      return response.end('{"results":[],"unresponsive_engines":[["duckduckgo","CAPTCHA"]]}');
    if (kind === "large") return response.end(`"${"x".repeat(5 * 1024 * 1024)}"`);
    return undefined;
  });
});
afterAll(() => site.close());

const wanted: SearchRequest = { query: "birds", limit: 5, kind: "general", safe: false, timeout: 30_000 };

test("an installation without a search engine says which setting it takes", async () => {
  await expect(searchWeb(undefined, wanted)).rejects.toMatchObject({
    type: "validation_failed",
    message: expect.stringContaining("SEARXNG_URL"),
  });
});

test.each(["forbidden", "html", "large"])(
  "a search engine whose answer is %s is a fault of its own",
  async kind => {
    await expect(searchWeb(`${site.url}/${kind}`, wanted)).rejects.toMatchObject({
      type: "upstream_error",
      message: expect.stringContaining("search engine"),
    });
  },
);

test("a search engine whose engines refuse it has not found nothing", async () => {
  await expect(searchWeb(`${site.url}/refused`, wanted)).rejects.toMatchObject({
    type: "upstream_error",
    message: "The search engine found nothing: none of its engines answered.",
  });
});

test("a search engine that does not answer is waited for as long as the request says", async () => {
  await expect(searchWeb(`${site.url}/silent`, { ...wanted, timeout: 200 })).rejects.toMatchObject({
    type: "scrape_timeout",
  });
});
