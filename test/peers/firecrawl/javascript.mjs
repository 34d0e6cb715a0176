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

/** What a watcher tells of a job until it is done. */
const watched = watcher =>
  new Promise((resolve, reject) => {
    const documents = [];
    watcher.on("document", document => documents.push(new URL(document.metadata.sourceURL).pathname));
    watcher.on("done", ({ status }) => resolve({ status, documents: documents.sort() }));
    watcher.on("error", ({ error }) => reject(new Error(error)));
    watcher.start();
  });
const tracked = async () => {
  const formats = ["markdown", { type: "changeTracking", modes: ["git-diff"], tag: "js" }];
  return (await v2.scrape(`${site}/live`, { formats, timeout: 120_000 })).changeTracking;
};
const changes = [await tracked(), await tracked()];
const toWatch = await v2.startCrawl(`${site}/few/`, { limit: 10, scrapeOptions: { formats: ["markdown"] } });
const seen = await watched(v2.watcher(toWatch.id, { kind: "crawl", pollInterval: 1, timeout: 240 }));
const toldOf = await v2.startCrawl(`${site}/few/`, {
  limit: 10,
  scrapeOptions: { formats: ["markdown"] },
  webhook: { url: `${site}/hook`, metadata: { mine: 1 }, events: ["started", "page", "completed"] },
});
const v1Watched = await v1.crawlUrlAndWatch(`${site}/few/`, { limit: 10 });
const v1Seen = await new Promise((resolve, reject) => {
  let documents = 0;
  v1Watched.addEventListener("document", () => (documents += 1));
  v1Watched.addEventListener("done", ({ detail }) => resolve([detail.status, documents]));
  v1Watched.addEventListener("error", ({ detail }) => reject(new Error(detail.error)));
});

const got = {
  page,
  changes,
  seen,
  toldOf: toldOf.id,
  v1Seen,
  ongoing: await fetch(`${apiUrl}/v2/crawl/ongoing`, { headers: { authorization: `Bearer ${apiKey}` } }).then(
    answer => answer.json(),
  ),
  tokens: await v2.getTokenUsage(),
  pastTokens: (await v2.getTokenUsageHistorical()).periods.length,
  pastCredits: (await v2.getCreditUsageHistorical(true)).periods,
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
