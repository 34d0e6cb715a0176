import type { Rule } from "../../contracts/schema.ts";
import { differs, ignored, type Options, optionsOf, refused, rules, same } from "./options.ts";
import { pageOptionsSent } from "./page-options.ts";

const list = (rule: Rule): Rule => ({ type: "array", items: rule, optional: true });

/** The options of `POST /monitor` and `PATCH /monitor/{id}`. */
export const monitorOptions = {
  name: same({ type: "string", optional: true, max: 256 }, "name"),
  schedule: differs(
    { type: "object", optional: true, props: { cron: rules.text, text: rules.text, timezone: rules.text } },
    "schedule",
    "`cron` or `text`, with `timezone`; words may also name days of the week",
  ),
  targets: differs(
    list({ type: "object" }),
    "targets",
    "`scrape`, `crawl` and `search`, see below; 1,000 addresses and queries in all",
  ),
  status: same({ type: "enum", values: ["active", "paused"], optional: true }, "paused"),
  goal: differs(
    { ...rules.text, nullable: true },
    "goal",
    "needs a language model of the operator, unless `judgeEnabled` is false",
  ),
  judgeEnabled: same(rules.flag, "judge"),
  retentionDays: same(rules.number, "retention_days", "1 to 365; the default is 30"),
  webhook: differs(
    {
      type: "object",
      optional: true,
      nullable: true,
      props: {
        url: { type: "string", max: 2048 },
        headers: { type: "record", optional: true, nullable: true, value: { type: "string", empty: true } },
        metadata: { ...rules.object, nullable: true },
        events: { ...rules.texts, nullable: true },
      },
    },
    undefined,
    "an endpoint of the key with a secret of its own, which the answer that makes it shows once as `webhook.secret`",
  ),
  notification: differs(
    {
      type: "object",
      optional: true,
      nullable: true,
      props: {
        email: {
          type: "object",
          optional: true,
          nullable: true,
          props: { enabled: rules.flag, recipients: rules.texts, includeDiffs: rules.flag },
        },
      },
    },
    undefined,
    "`recipients` are required, and each confirms first; mails hold what changed, whatever `includeDiffs` says",
  ),
  origin: ignored("names the client"),
  integration: ignored("names the client"),
} as const satisfies Options;

/** The options of a target. */
export const targetOptions = {
  id: same(rules.text),
  type: same({ type: "enum", values: ["scrape", "crawl", "search"] }),
  urls: same(rules.texts, undefined, "of `scrape`"),
  url: same(rules.text, undefined, "of `crawl`"),
  scrapeOptions: differs(rules.object, undefined, "of `scrape` and `crawl`, see below"),
  crawlOptions: differs(rules.object, undefined, "of `crawl`, see below"),
  queries: same(rules.texts, undefined, "of `search`; each is a search of its own"),
  searchWindow: differs(
    rules.text,
    "options.window",
    "of `search`: `7d` is a week, the shorter ones are a day",
  ),
  maxResults: ignored("what is new among the first results is told"),
  includeDomains: same(rules.texts, "options.domains", "of `search`"),
  excludeDomains: same(rules.texts, undefined, "of `search`"),
} as const satisfies Options;

/**
 * How a page of a target is read. Whatever a scrape takes is known here, because clients send all of their options. Pages are
 * compared and not returned, so many change nothing or are refused.
 */
export const watchedOptions: Options = {
  ...optionsOf(pageOptionsSent, "v2"),
  formats: differs(
    {
      type: "array",
      optional: true,
      max: 20,
      items: { type: "multi", rules: [rules.text, { type: "object" }] },
    },
    "options.json",
    "`markdown`, and `changeTracking` with `git-diff`, or with `json` alone and a `schema`: then the fields are compared. Others are refused",
  ),
  onlyMainContent: same(rules.flag, "options.content", "the default is true"),
  includeTags: same(rules.texts, "options.select", "CSS selectors"),
  excludeTags: same(rules.texts, "options.remove", "CSS selectors"),
  headers: differs(rules.object, "options.headers", "sent to the page's own origin only; kept encrypted"),
  waitFor: ignored("a page is read when it is at rest"),
  timeout: ignored("each page has the time that it needs, up to a minute"),
  maxAge: ignored("every check reads afresh, with a conditional request"),
  blockAds: ignored("advertisements never count"),
  parsers: ignored("PDF is always read as text"),
  proxy: ignored("the operator decides"),
  removeBase64Images: ignored("texts are compared"),
  storeInCache: ignored("a check gives its result to no scrape"),
  skipTlsVerification: ignored("a page whose certificate is wrong is not read"),
  minAge: refused("A check asks the site.", [0]),
  lockdown: refused("A check asks the site."),
  agent: refused("A check reads the page as it is."),
  zeroDataRetention: refused("What pages say is kept as versions, for `retentionDays`."),
  actions: refused("Scrape the page on a schedule of your own."),
  mobile: refused("A check reads the page as a desktop does."),
  location: refused("A check reads the page from where the service runs."),
};

/** Which pages of a site a `crawl` target watches. */
export const watchedCrawlOptions = {
  limit: same(rules.number, "options.limit", "at most 50,000; the default is 1,000"),
  includePaths: same(rules.texts, "options.include", "as in a crawl"),
  excludePaths: same(rules.texts, "options.exclude", "as in a crawl"),
  maxDiscoveryDepth: same(rules.number, "options.max_depth", "the default is 10"),
  maxDepth: same(rules.number, "options.max_depth", "likewise"),
  crawlEntireDomain: same(rules.flag, "options.include_entire_domain"),
  allowSubdomains: same(rules.flag, "options.include_subdomains"),
  sitemap: differs(
    { type: "enum", values: ["include", "skip"], optional: true },
    "options.sitemaps",
    "`include` and `skip`",
  ),
  deduplicateSimilarURLs: ignored("the same page is read once"),
  delay: ignored("a site is asked as slowly as it wants"),
  maxConcurrency: ignored("the operator sets how many pages are read at a time"),
  allowExternalLinks: refused("A site is watched, and not what it links to."),
  ignoreQueryParameters: refused(
    "Addresses with another query are other pages. Leave them out by `excludePaths`.",
  ),
  ignoreRobotsTxt: refused("Magpie obeys robots.txt."),
  robotsUserAgent: refused("Magpie obeys robots.txt under its own name."),
  regexOnFullURL: refused("Expressions are over path and query."),
  prompt: refused("Name the pages by `includePaths`, `excludePaths` and `maxDiscoveryDepth`."),
  webhook: refused("The monitor has a `webhook`."),
  zeroDataRetention: refused("What pages say is kept as versions, for `retentionDays`."),
} as const satisfies Options;
