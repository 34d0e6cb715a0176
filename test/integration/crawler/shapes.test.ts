import { type NameServer, startNameServer } from "../../support/name-server.ts";
import { type Crawler, pathOf, startCrawler } from "./crawler.ts";
import { dedupeShapes } from "./shapes/dedupe.shapes.ts";
import { otherShapes } from "./shapes/other.shapes.ts";
import { robotsShapes } from "./shapes/robots.shapes.ts";
import type { Addresses, Shapes } from "./shapes/shape.ts";
import { sitemapShapes } from "./shapes/sitemap.shapes.ts";
import { trapShapes } from "./shapes/trap.shapes.ts";
import { page, Sites } from "./site.ts";

const sites = new Sites();
let crawler: Crawler;
let names: NameServer;
let other: string;

beforeAll(async () => {
  names = await startNameServer({
    "shop.example": { addresses: ["127.0.0.1"] },
    "www.shop.example": { addresses: ["127.0.0.1"] },
  });
  crawler = await startCrawler({ egressDnsServers: [names.address] });
  const site = await sites.start((request, response) => {
    const isFile = request.url === "/robots.txt" || request.url === "/sitemap.xml";
    response.writeHead(isFile ? 404 : 200, { "content-type": "text/html" });
    response.end(page("Another site", "/never"));
  });
  other = site.url;
});

afterAll(async () => {
  await crawler?.stop();
  await sites.close();
  await names?.close();
});

const groups: [string, Shapes][] = [
  ["one page under many addresses", dedupeShapes],
  ["sites without an end", trapShapes],
  ["robots.txt", robotsShapes],
  ["sitemaps", sitemapShapes],
  ["others", otherShapes],
];

describe.each(groups)("%s", (_, shapes) => {
  test.each(Object.entries(shapes))("%s", async (_name, shape) => {
    let answer: ReturnType<typeof shape.site> = {};
    const site = await sites.start((request, response) => {
      if (typeof answer === "function") return answer(request, response);
      const route = answer[new URL(request.url ?? "/", "http://site.test").pathname];
      if (typeof route === "function") return route(request, response);
      const isBare = typeof route === "string" || route instanceof Uint8Array;
      const { status = 200, headers = {}, body = "" } = isBare ? { body: route } : (route ?? { status: 404 });
      response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
    });
    const at: Addresses = {
      own: site.url,
      named: `http://shop.example:${site.port}`,
      www: `http://www.shop.example:${site.port}`,
      other,
    };
    answer = shape.site(at);
    const { entry = "/", pages, errors, status = "completed" } = shape;
    const url = typeof entry === "string" ? site.url + entry : entry(at);
    const id = await crawler.accepted({ url, ...(shape.crawler && { crawler: shape.crawler }) });
    const crawl = await crawler.ended(id);
    const read = crawl.data.map(({ metadata }) => pathOf(metadata.final_url)).sort();
    expect(crawl.status).toBe(status);
    if (typeof pages === "number") expect(read).toHaveLength(pages);
    else expect(read).toEqual(pages.toSorted());
    if (errors || typeof pages !== "number")
      expect(unlimited(await crawler.errors(id))).toEqual(errors ?? {});
    shape.check?.(site, crawl);
  });
});

/** Without what was left for the limit. */
function unlimited(errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).filter(([, code]) => code !== "limit"));
}
