import { startBatch } from "../../contracts/batch.contract.ts";
import { startCrawl } from "../../contracts/crawler.contract.ts";
import { listOwnCrawls } from "../../contracts/job-lists.contract.ts";
import type { Rule } from "../../contracts/schema.ts";
import { present } from "../../domain/json/fields.ts";
import { withScheme } from "./address.ts";
import { answerWith, ask } from "./ask.ts";
import { withoutNulls } from "./checked-part.ts";
import { meantByNode } from "./n8n.ts";
import {
  differs,
  fieldsOf,
  ignored,
  type Options,
  only,
  refuse,
  refused,
  refuseOthers,
  rules,
  rulesOf,
  same,
  type Version,
} from "./options.ts";
import { type PageBody, pageNames, pageRequestOf, pagesOptions, pagesOptionsIn } from "./page-options.ts";
import { type WebhookSent, webhookOf, webhookOption } from "./webhook.ts";

const pageRule: Rule = { type: "object", optional: true };
const sitemap: Rule = { type: "enum", values: ["include", "skip", "only"], optional: true };

export const jobOptions = {
  webhook: webhookOption,
  maxConcurrency: same(rules.number, "concurrency", "the operator's limit holds, too"),
  zeroDataRetention: refused("Results are kept for 24 hours by default."),
  origin: ignored("names the client"),
  integration: ignored("names the client"),
} as const satisfies Options;

/** The options of `POST /crawl`. */
export const crawlOptions = {
  url: same({ type: "string", max: 2048 }, "url"),
  limit: same(rules.number, "crawler.limit", "the default is 10,000"),
  includePaths: differs(rules.texts, "crawler.include", "regular expressions of RE2, over path and query"),
  excludePaths: differs(rules.texts, "crawler.exclude", "regular expressions of RE2, over path and query"),
  regexOnFullURL: differs(
    rules.flag,
    undefined,
    "an expression that begins with `^` must begin with `^http`; others are refused",
  ),
  maxDiscoveryDepth: same(rules.number, "crawler.max_depth", "links from the entry page, at most 100"),
  maxDepth: only("v1", same(rules.number, "crawler.exclude", "segments of the path")),
  crawlEntireDomain: same(rules.flag, "crawler.include_entire_domain"),
  allowBackwardLinks: only("v1", same(rules.flag, "crawler.include_entire_domain")),
  allowSubdomains: same(rules.flag, "crawler.include_subdomains"),
  allowExternalLinks: differs(
    rules.flag,
    "crawler.include_external_links",
    "links of external pages are not followed",
  ),
  sitemap: only(
    "v2",
    differs(
      sitemap,
      "crawler.sitemaps",
      "`include` and `skip`; with `only`, links are not followed from the entry page",
    ),
  ),
  ignoreSitemap: same(rules.flag, "crawler.sitemaps"),
  scrapeOptions: differs(
    pageRule,
    undefined,
    "those of scrape; `timeout` is refused, `maxAge` changes nothing",
  ),
  deduplicateSimilarURLs: ignored("the same page is read once"),
  ignoreQueryParameters: same(rules.flag, "crawler.ignore_query"),
  prompt: refused(
    "Name the pages by `includePaths`, `excludePaths` and `maxDiscoveryDepth`; `POST /v2/map` lists the addresses of a site.",
  ),
  ignoreRobotsTxt: same(
    rules.flag,
    "crawler.ignore_robots",
    "only on hosts that the operator has named in `OWN_HOSTS`; 403 elsewhere",
  ),
  robotsUserAgent: refused("Magpie obeys robots.txt under its own name."),
  delay: same(
    rules.number,
    "crawler.delay",
    "seconds, at most 60; one page at a time, and a longer `Crawl-delay` of robots.txt holds",
  ),
  ...jobOptions,
  maxConcurrency: same(rules.number, "crawler.concurrency", "the operator's limit holds, too"),
} as const satisfies Options;

interface CrawlBody {
  url: string;
  limit?: number;
  includePaths?: string[];
  excludePaths?: string[];
  regexOnFullURL?: boolean;
  maxDiscoveryDepth?: number;
  maxDepth?: number;
  crawlEntireDomain?: boolean;
  allowBackwardLinks?: boolean;
  allowSubdomains?: boolean;
  allowExternalLinks?: boolean;
  sitemap?: "include" | "skip" | "only";
  ignoreSitemap?: boolean;
  scrapeOptions?: PageBody;
  ignoreQueryParameters?: boolean;
  delay?: number;
  ignoreRobotsTxt?: boolean;
  maxConcurrency?: number;
  webhook?: WebhookSent;
}

const defaultLimit = 10_000;
const deepest = 100;

/** Answers `POST /crawl`. */
export const crawlAnswer = (version: Version) =>
  answerWith<CrawlBody & Record<string, unknown>>(rulesOf(crawlOptions, version), async (asked, body) => {
    const names = [...fieldsOf(crawlOptions), ...pageNames("scrapeOptions.")];
    const { crawl_id, webhook_secret } = await ask(asked, startCrawl, crawlRequestOf(body, version), {
      names,
      idempotent: true,
    });
    return {
      success: true,
      id: crawl_id,
      url: `${asked.origin}/${version}/crawl/${crawl_id}`,
      ...present({ webhookSecret: webhook_secret }),
    };
  });

/** A crawl as Magpie takes it. Throws a 400 that names what it does not have. */
export function crawlRequestOf(sent: CrawlBody & Record<string, unknown>, version: Version) {
  const body = meantByNode(withoutNulls(sent));
  refuseOthers(crawlOptions, body, version);
  const { scrapeOptions = {} } = body;
  const page = pagesOptionsIn(scrapeOptions, version);
  return {
    url: withScheme(body.url),
    crawler: scopeOf(body),
    ...present({ webhook: webhookOf(body.webhook) }),
    ...pageRequestOf(page, version, "scrapeOptions."),
  };
}

function scopeOf(body: CrawlBody) {
  const { includePaths = [], excludePaths = [], maxDepth } = body;
  return present({
    limit: body.limit ?? defaultLimit,
    include: includePaths.map((each, at) => expression(each, body, `includePaths.${at}`)),
    exclude: [
      ...excludePaths.map((each, at) => expression(each, body, `excludePaths.${at}`)),
      ...(maxDepth === undefined ? [] : [deeperThan(maxDepth)]),
    ],
    max_depth: body.sitemap === "only" ? 0 : Math.min(body.maxDiscoveryDepth ?? deepest, deepest),
    include_entire_domain: body.crawlEntireDomain ?? body.allowBackwardLinks,
    include_subdomains: body.allowSubdomains,
    include_external_links: body.allowExternalLinks,
    ignore_query: body.ignoreQueryParameters,
    delay: body.delay,
    ignore_robots: body.ignoreRobotsTxt,
    // A crawl that waits between its pages reads one at a time.
    concurrency: body.delay ? 1 : body.maxConcurrency,
    sitemaps: body.ignoreSitemap === undefined ? sitemapsOf(body.sitemap) : !body.ignoreSitemap,
  });
}

const sitemapsOf = (sitemap: CrawlBody["sitemap"]) =>
  sitemap === undefined ? undefined : sitemap !== "skip";

/** Expressions are bare there and in slashes here; ours are over the whole URL where they begin with `http`. */
function expression(source: string, { regexOnFullURL = false }: CrawlBody, field: string): string {
  if (!regexOnFullURL || /^\^?http/.test(source)) return `/${source}/`;
  if (source.startsWith("^"))
    throw refuse(field, "an expression over the whole URL that begins with `^`, unless with `^http`.");
  return `/^http.*?(?:${source})/`;
}

/** A pattern of paths with more segments than these. */
function deeperThan(segments: number): string {
  return `/^(?:\\/[^/?]+){${segments + 1}}/`;
}

/** Answers `GET /crawl/active`. */
export const activeCrawls = answerWith({}, async asked => {
  const { data } = await ask(asked, listOwnCrawls, { status: "crawling", limit: 200 });
  const { owner } = asked.caller;
  return {
    success: true,
    crawls: data.map(({ crawl_id, url, started_at }) => ({
      id: crawl_id,
      teamId: owner,
      url,
      status: "scraping",
      created_at: started_at,
      options: null,
    })),
  };
});

/** The options of `POST /batch/scrape`. */
export const batchOptions = {
  urls: same(
    { type: "array", items: { type: "string" }, min: 1 },
    "urls",
    "at most 1,000; each is read once",
  ),
  ignoreInvalidURLs: same(rules.flag, "ignore_invalid_urls", "the default of v1 is false, of v2 true"),
  ...pagesOptions,
  appendToId: refused("Start a batch of its own."),
  ...jobOptions,
} as const satisfies Options;

interface BatchBody extends PageBody {
  urls: string[];
  ignoreInvalidURLs?: boolean;
  webhook?: WebhookSent;
  maxConcurrency?: number;
}

/** Answers `POST /batch/scrape`. */
export const batchAnswer = (version: Version) =>
  answerWith<BatchBody & Record<string, unknown>>(rulesOf(batchOptions, version), async (asked, body) => {
    const names = [...fieldsOf(batchOptions), ...pageNames()];
    const { batch_id, invalid_urls, webhook_secret } = await ask(
      asked,
      startBatch,
      batchRequestOf(body, version),
      {
        names,
        idempotent: true,
      },
    );
    return {
      success: true,
      id: batch_id,
      url: `${asked.origin}/${version}/batch/scrape/${batch_id}`,
      ...present({ invalidURLs: invalid_urls, webhookSecret: webhook_secret }),
    };
  });

/** A batch as Magpie takes it. Throws a 400 that names what it does not have. */
export function batchRequestOf(sent: BatchBody & Record<string, unknown>, version: Version) {
  const body = withoutNulls(sent);
  refuseOthers(batchOptions, body, version);
  const { urls, ignoreInvalidURLs = version === "v2" } = body;
  return {
    urls: urls.map(withScheme),
    ignore_invalid_urls: ignoreInvalidURLs,
    ...present({ webhook: webhookOf(body.webhook), concurrency: body.maxConcurrency }),
    ...pageRequestOf(body, version),
  };
}
