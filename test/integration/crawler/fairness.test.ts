import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../support/until.ts";
import { type Crawl, type Crawler, startCrawler } from "./crawler.ts";
import { page, Sites } from "./site.ts";

const sites = new Sites();
let crawler: Crawler;

beforeAll(async () => {
  // Four pages at a time at the scraper.
  crawler = await startCrawler({ crawl: { concurrency: 2, hostConcurrency: 4 } });
});

afterAll(async () => {
  await crawler?.stop();
  await sites.close();
});

/** A site of many pages, each of which takes a while. */
async function slowSite(): Promise<string> {
  const links = Array.from({ length: 400 }, (_, n) => `/${n}`);
  const body = page("A page", ...links);
  const site = await sites.start(async ({ url }, response) => {
    if (url === "/robots.txt" || url === "/sitemap.xml") return void response.writeHead(404).end();
    await delay(20);
    response.setHeader("content-type", "text/html").end(body);
  });
  return `${site.url}/`;
}

test("a key with eight crawls gets as many pages as a key with one, not eight times as many", async () => {
  const [many, one] = [await crawler.newKey("many", { concurrentCrawls: 8 }), await crawler.newKey("one")];
  const begin = async (key: string, limit: number) =>
    await crawler.accepted({ url: await slowSite(), crawler: { limit } }, { key });
  const ofMany = await Promise.all(Array.from({ length: 8 }, () => begin(many, 400)));
  const doneBy = async (key: string, ids: string[]) => {
    const all = await Promise.all(ids.map(id => crawler.status(id, "?limit=1", { key })));
    return all.reduce((sum: number, { progress }: Crawl) => sum + progress.completed, 0);
  };
  await until("the many are under way", async () => (await doneBy(many, ofMany)) > 16);
  const [id, before] = [await begin(one, 60), await doneBy(many, ofMany)];
  await until(
    "the one has ended",
    async () => (await crawler.status(id, "", { key: one })).ended_at !== null,
  );
  const ofTheMany = (await doneBy(many, ofMany)) - before;
  expect(await doneBy(one, [id])).toBe(60);
  // The one has the places of its key alone while it begins and ends. By crawl it would be eight times as many.
  expect(ofTheMany).toBeLessThan(4 * 60);
  for (const each of ofMany) await crawler.request("DELETE", `/web/crawl/${each}`, { key: many });
}, 120_000);
