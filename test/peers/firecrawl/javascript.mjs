/**
 * Firecrawl's own client for JavaScript, in both versions of the API, with nothing changed but the address. Prints what it
 * got as JSON. Arguments: the address, an API key, the address of the site.
 */
import { Firecrawl, FirecrawlAppV1 } from "@mendable/firecrawl-js";

const [, , apiUrl, apiKey, site] = process.argv;
const v2 = new Firecrawl({ apiUrl, apiKey });
const v1 = new FirecrawlAppV1({ apiUrl, apiKey });
const schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
const wait = { pollInterval: 1, timeout: 240 };
const errorOf = promise =>
  promise.then(
    () => null,
    ({ status, code, message }) => ({ status, code, message }),
  );
const isPage = url => /\/p\/\d+$/.test(url);
const pathsOf = ({ data }) => data.map(({ metadata }) => new URL(metadata.sourceURL).pathname).sort();

const page = await v2.scrape(`${site}/p/1`, {
  formats: ["markdown", "html", "rawHtml", "links", "images", "summary", { type: "json", schema }],
  timeout: 120_000,
});
const picture = await v2.scrape(`${site}/p/1`, {
  formats: [{ type: "screenshot", fullPage: true }],
  timeout: 120_000,
});
const crawl = await v2.crawl(`${site}/`, { limit: 151, scrapeOptions: { formats: ["markdown"] }, ...wait });
const started = await v2.startCrawl(`${site}/held`, { limit: 2 });
const active = await v2.getActiveCrawls();
const cancelled = await v2.cancelCrawl(started.id);
const batch = await v2.batchScrape(
  [1, 2, 3].map(n => `${site}/p/${n}`),
  { options: { formats: ["markdown"] }, ...wait },
);
const missing = await v2.batchScrape([`${site}/p/1`, `${site}/cut`], {
  options: { formats: ["markdown"] },
  ...wait,
});
const old = await v1.scrapeUrl(`${site}/p/2`, { formats: ["markdown", "links"], timeout: 120_000 });
const oldCrawl = await v1.crawlUrl(`${site}/`, { limit: 120, scrapeOptions: { formats: ["markdown"] } }, 1);

const got = {
  page,
  picture: await fetch(picture.screenshot).then(({ status, headers }) => [
    status,
    headers.get("content-type"),
  ]),
  crawl: { status: crawl.status, total: crawl.total, paths: pathsOf(crawl) },
  active: active.crawls.some(({ id }) => id === started.id),
  cancelled,
  afterCancel: (await v2.getCrawlStatus(started.id)).status,
  batch: { status: batch.status, paths: pathsOf(batch) },
  batchErrors: await v2.getBatchScrapeErrors(missing.id),
  map: (await v2.map(`${site}/`)).links.filter(({ url }) => isPage(url)).length,
  extract: await v2.extract({ urls: [`${site}/p/1`], schema, pollInterval: 1, timeout: 120 }),
  credits: await v2.getCreditUsage(),
  queue: await v2.getQueueStatus(),
  v1: { success: old.success, markdown: old.markdown, crawl: [oldCrawl.status, oldCrawl.data.length] },
  v1Map: (await v1.mapUrl(`${site}/`, {})).links.filter(isPage).length,
  v1Errors: await v1.checkCrawlErrors(crawl.id),
  errors: {
    option: await errorOf(v2.scrape(`${site}/`, { formats: ["branding"] })),
    key: await errorOf(new Firecrawl({ apiUrl, apiKey: "wrong" }).scrape(`${site}/`)),
    unknown: await errorOf(v2.getCrawlStatus("crw_none")),
    unreachable: await errorOf(v2.scrape(`${site}/cut`)),
  },
};
process.stdout.write(JSON.stringify(got));
