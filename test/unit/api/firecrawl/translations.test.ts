import { wholeUrl } from "../../../../services/api/compat/readers.ts";
import { batchRequestOf, crawlRequestOf } from "../../../../services/api/firecrawl/crawl.ts";
import { extractRequestOf, joined } from "../../../../services/api/firecrawl/extract.ts";
import { failure, inTheirNames } from "../../../../services/api/firecrawl/failure.ts";
import { actionsOf, formatsOf } from "../../../../services/api/firecrawl/formats.ts";
import { errorListOf, nextOf, stateOf } from "../../../../services/api/firecrawl/jobs.ts";
import { linksOf, mapRequestOf } from "../../../../services/api/firecrawl/map.ts";
import { refuseOthers } from "../../../../services/api/firecrawl/options.ts";
import { scrapeOptions, scrapeRequestOf } from "../../../../services/api/firecrawl/scrape.ts";
import { resultsOf, searchRequestOf } from "../../../../services/api/firecrawl/search.ts";
import { periodsOf } from "../../../../services/api/firecrawl/usage.ts";
import { type ErrorExtras, fail, invalid } from "../../../../services/contracts/errors.ts";
import { urlPatterns } from "../../../../services/domain/crawl/url-patterns.ts";
import { documentOf, type PageData } from "../../../../services/domain/firecrawl/document.ts";

const url = "https://example.com/";

/** The fields that a refusal names. */
function refusedBy(act: () => unknown): string[] {
  try {
    act();
  } catch (error) {
    return ((error as { data: ErrorExtras }).data.details ?? []).map(({ field }) => field);
  }
  return [];
}

test.each([
  [{}, { timeout: 60_000, output: { formats: ["markdown"] }, request: { skip_tls_verification: true } }],
  [{ maxAge: 1e12 }, { max_age: 604_800_000 }],
  [
    { onlyMainContent: false, includeTags: ["p"] },
    { request: { only_main_content: false, include_tags: ["p"] } },
  ],
  [{ mobile: true, blockAds: false }, { request: { device: "mobile", block_ads: false } }],
  [{ waitFor: 500 }, { js_render: { wait_for: { ms: 500 } } }],
  [
    { location: { country: "DE", languages: ["de", "en"] } },
    { proxy: { location: "DE" }, request: { locale: "de" } },
  ],
  [{ parsers: [] }, { request: { pdf: { read: false } } }],
  [{ parsers: [{ type: "pdf", maxPages: 1000 }] }, { request: { pdf: { max_pages: 200 } } }],
  [{ formats: ["rawHtml", "images"] }, { output: { formats: ["raw_html", "images"] } }],
  [
    { formats: [{ type: "screenshot", fullPage: true, viewport: { width: 800, height: 600 } }] },
    {
      output: { formats: ["screenshot"], screenshot: "full_page" },
      js_render: { viewport: { width: 800, height: 600 } },
    },
  ],
])("a scrape with %j", (options, wanted) => {
  expect(scrapeRequestOf({ url, ...options }, "v2")).toMatchObject({ url, ...wanted });
});

test("a scrape without options leaves the rest to Magpie's defaults", () => {
  const request = scrapeRequestOf({ url, waitFor: 0, actions: [], mobile: false }, "v1");
  expect(request).toEqual({
    url,
    timeout: 30_000,
    output: { formats: ["markdown"] },
    request: { skip_tls_verification: false },
  });
});

test.each([
  ["example.com", "http://example.com"],
  ["docs.example.com:8080/a?b=c.d", "http://docs.example.com:8080/a?b=c.d"],
  ["bücher.example/a", "http://bücher.example/a"],
  ["http://example.com", "http://example.com"],
  ["ftp://example.com", "ftp://example.com"],
  ["nonsense", "nonsense"],
  ["mailto:a@example.com", "mailto:a@example.com"],
  ["a b.com", "a b.com"],
])("the address %s is asked for as %s", (sent, asked) => {
  expect(scrapeRequestOf({ url: sent }, "v2").url).toBe(asked);
  expect(crawlRequestOf({ url: sent }, "v1").url).toBe(asked);
  expect(mapRequestOf({ url: sent }, "v2").url).toBe(asked);
  expect(batchRequestOf({ urls: [sent] }, "v2").urls).toEqual([asked]);
  expect(extractRequestOf({ urls: [sent], prompt: "p" }, "v2").urls).toEqual([asked]);
});

test("usage is told by months", () => {
  const counts = [
    { day: "2026-02-28", requests: 3 },
    { day: "2026-02-01", requests: 4 },
    { day: "2025-12-31", requests: 5 },
  ];
  expect(periodsOf(counts, "tokens", null)).toEqual([
    {
      startDate: "2025-12-01T00:00:00.000Z",
      endDate: "2026-01-01T00:00:00.000Z",
      apiKey: null,
      totalTokens: 5,
    },
    {
      startDate: "2026-02-01T00:00:00.000Z",
      endDate: "2026-03-01T00:00:00.000Z",
      apiKey: null,
      totalTokens: 7,
    },
  ]);
});

test("every option that Magpie does not have is named at once; values that ask for nothing pass", () => {
  const body = { url, lockdown: true, minAge: 5, agent: {}, redactPII: false, foo: 0, fastMode: true };
  expect(refusedBy(() => refuseOthers(scrapeOptions, body, "v2"))).toEqual(["lockdown", "minAge", "foo"]);
  expect(refusedBy(() => scrapeRequestOf({ url, jsonOptions: {} }, "v2"))).toEqual(["jsonOptions"]);
});

test.each([
  [{ parsers: ["image"] }, "parsers.0"],
  [{ parsers: ["pdf", "image"] }, "parsers.1"],
  [{ parsers: [{ type: "pdf", maxPages: 0 }] }, "parsers.0.maxPages"],
  [{ parsers: [{ type: "pdf", mode: "ocr" }] }, "parsers.0.mode"],
  [{ parsers: [{ type: "pdf", blocks: true }] }, "parsers.0.blocks"],
  [{ parsers: [{ type: "pdf", mode: "fast", pages: false }] }, undefined],
  [{ removeBase64Images: false }, "removeBase64Images"],
  [{ proxy: "enhanced" }, "proxy"],
  [{ formats: ["markdown", { type: "changeTracking", modes: ["json"] }] }, "formats"],
  [{ formats: [{ type: "changeTracking", modes: ["word-diff"] }] }, "formats.0.modes.0"],
  [
    {
      formats: [
        { type: "json", prompt: "x" },
        { type: "changeTracking", modes: ["json"], prompt: "y" },
      ],
    },
    "formats.1.schema",
  ],
  [
    { formats: [{ type: "json", prompt: "x", checkPromptInjection: true }] },
    "formats.0.checkPromptInjection",
  ],
  [{ formats: ["json"] }, "formats"],
  [{ formats: ["extract"] }, "formats.0"],
])("of version 2, %j names %s", (options, field) => {
  expect(refusedBy(() => scrapeRequestOf({ url, ...options } as never, "v2"))[0]).toBe(field);
});

test("version 1 says what JSON is wanted beside the formats", () => {
  const schema = { type: "object" };
  const { output } = formatsOf(["json"], { prompt: "p", schema }, "v1");
  expect(output).toEqual({ formats: ["json"], json: { prompt: "p", json_schema: schema } });
  expect(
    refusedBy(() =>
      scrapeRequestOf({ url, formats: ["extract"], extract: { systemPrompt: "s" } } as never, "v1"),
    ),
  ).toEqual(["jsonOptions.systemPrompt"]);
});

test.each([
  ["changeTracking", { changes: { modes: [] } }],
  [
    { type: "changeTracking", modes: ["git-diff"], tag: "daily" },
    { changes: { modes: ["diff"], tag: "daily" } },
  ],
  [
    { type: "changeTracking", modes: ["json", "git-diff"], schema: { type: "object" }, tag: null },
    { changes: { modes: ["json", "diff"] }, json: { json_schema: { type: "object" } } },
  ],
])("the format %j compares pages", (format, output) => {
  expect(formatsOf(["markdown", format as never], undefined, "v2").output).toEqual({
    formats: ["markdown", "changes"],
    ...output,
  });
});

test("version 1 says beside the formats how pages are compared", () => {
  const body = { url, formats: ["changeTracking"], changeTrackingOptions: { modes: ["git-diff"], tag: "t" } };
  expect(scrapeRequestOf(body as never, "v1").output).toEqual({
    formats: ["changes"],
    changes: { modes: ["diff"], tag: "t" },
  });
});

test("changes of a page as their clients read them", () => {
  const diff = "@@ -1,2 +1,2 @@\n # A\n-9\n+12\n@@ -9,1 +9,2 @@\n x\n+y";
  const changes = { status: "changed", previous_at: "t", visibility: "hidden", diff } as const;
  const json = { price: { previous: 9, current: 12 } };
  const { changeTracking } = documentOf({ changes: { ...changes, json }, metadata: {} });
  expect(changeTracking).toEqual({
    previousScrapeAt: "t",
    changeStatus: "changed",
    visibility: "hidden",
    json,
    diff: {
      text: diff,
      json: {
        files: [
          {
            from: null,
            to: null,
            chunks: [
              {
                content: "@@ -1,2 +1,2 @@",
                changes: [
                  { type: "normal", normal: true, ln1: 1, ln2: 1, content: " # A" },
                  { type: "del", del: true, ln: 2, content: "-9" },
                  { type: "add", add: true, ln: 2, content: "+12" },
                ],
              },
              {
                content: "@@ -9,1 +9,2 @@",
                changes: [
                  { type: "normal", normal: true, ln1: 9, ln2: 9, content: " x" },
                  { type: "add", add: true, ln: 10, content: "+y" },
                ],
              },
            ],
          },
        ],
      },
    },
  });
});

test("actions", () => {
  const sent = [
    { type: "wait", milliseconds: 5 },
    { type: "click", selector: "a", all: false },
    { type: "write", text: "x" },
    { type: "scroll" },
    { type: "screenshot", fullPage: true, quality: 50 },
  ];
  expect(actionsOf(sent)).toEqual([
    { type: "wait", ms: 5 },
    { type: "click", selector: "a" },
    { type: "type", text: "x" },
    { type: "scroll", direction: "down" },
    { type: "screenshot", full_page: true },
  ]);
  expect(
    refusedBy(() =>
      actionsOf([
        { type: "press", key: "a" },
        { type: "click", selector: "a", all: true },
      ]),
    ),
  ).toEqual(["actions.1.all"]);
});

test("a page as their clients read it", () => {
  const data: PageData = {
    markdown: "# A",
    json: { a: 1 },
    screenshot: "k1",
    actions: { screenshots: ["k2"] },
    metadata: {
      title: "A",
      status_code: 404,
      final_url: "https://b/",
      keywords: ["x", "y"],
      og: { "image:width": "3" },
      cached_at: "t",
    },
  };
  const pictures = new Map([
    ["k1", "https://m/1"],
    ["k2", "https://m/2"],
  ]);
  expect(documentOf(data, { sourceUrl: "https://a/", pictures, asExtract: true })).toEqual({
    markdown: "# A",
    extract: { a: 1 },
    screenshot: "https://m/1",
    actions: { screenshots: ["https://m/2"], scrapes: [], javascriptReturns: [], pdfs: [] },
    metadata: {
      ogImageWidth: "3",
      title: "A",
      keywords: "x, y",
      sourceURL: "https://a/",
      url: "https://b/",
      statusCode: 404,
      error: "Not Found",
      proxyUsed: "basic",
      cacheState: "hit",
      cachedAt: "t",
      creditsUsed: 1,
    },
  });
});

describe("a crawl", () => {
  const scopeOf = (body: object, version: "v1" | "v2" = "v2") =>
    crawlRequestOf({ url, ...body }, version).crawler;

  test.each([
    [{}, { limit: 10_000, max_depth: 100, include: [], exclude: [] }],
    [
      { maxDiscoveryDepth: 2, limit: 5 },
      { limit: 5, max_depth: 2 },
    ],
    [{ sitemap: "skip" }, { sitemaps: false }],
    [
      { ignoreQueryParameters: true, maxConcurrency: 3, delay: 0 },
      { ignore_query: true, concurrency: 3, delay: 0 },
    ],
    [
      { maxConcurrency: 3, delay: 0.5 },
      { delay: 0.5, concurrency: 1 },
    ],
    [{ sitemap: "only" }, { sitemaps: true, max_depth: 0 }],
    [
      { crawlEntireDomain: true, allowSubdomains: true },
      { include_entire_domain: true, include_subdomains: true },
    ],
    [
      { includePaths: ["^/a"], excludePaths: ["b$"] },
      { include: ["/^/a/"], exclude: ["/b$/"] },
    ],
  ])("with %j", (body, wanted) => {
    expect(scopeOf(body)).toMatchObject(wanted);
  });

  test("of version 1", () => {
    expect(scopeOf({ ignoreSitemap: true, allowBackwardLinks: true }, "v1")).toMatchObject({
      sitemaps: false,
      include_entire_domain: true,
    });
  });

  test.each([
    [2, "https://example.com/a/b", true],
    [2, "https://example.com/a/b/", true],
    [2, "https://example.com/a/b/c", false],
    [0, "https://example.com/", true],
    [0, "https://example.com/a", false],
    [1, "https://example.com/a?x=/b/c", true],
  ])("of at most %i segments takes %s: %s", (maxDepth, page, taken) => {
    const { include = [], exclude = [] } = scopeOf({ maxDepth }, "v1");
    expect(urlPatterns(include, exclude)(page)).toBe(taken);
  });

  test.each([
    ["docs/.*", "https://example.com/docs/a", true],
    ["^https?://example\\.com/a", "https://example.com/a", true],
    ["example\\.com", "https://example.org/example.com", true],
    ["example\\.com", "https://example.org/", false],
    ["https://example", "https://example.org/", true],
  ])("by the expression %s over the whole URL takes %s: %s", (expression, page, taken) => {
    const { include = [] } = scopeOf({ includePaths: [expression], regexOnFullURL: true });
    expect(urlPatterns(include, [])(page)).toBe(taken);
  });

  test("refuses what it cannot do, by its place", () => {
    expect(refusedBy(() => scopeOf({ includePaths: ["a", "^b"], regexOnFullURL: true }))).toEqual([
      "includePaths.1",
    ]);
    expect(refusedBy(() => scopeOf({ scrapeOptions: { lockdown: true } }))).toEqual([
      "scrapeOptions.lockdown",
    ]);
    expect(refusedBy(() => scopeOf({ prompt: "docs only" }))).toEqual(["prompt"]);
  });
});

test("a batch: what is no URL is left out in version 2 only, unless told", () => {
  expect(batchRequestOf({ urls: [url] }, "v1").ignore_invalid_urls).toBe(false);
  expect(batchRequestOf({ urls: [url], maxAge: 5 }, "v2")).toEqual({
    urls: [url],
    ignore_invalid_urls: true,
    output: { formats: ["markdown"] },
    request: { skip_tls_verification: true },
  });
});

test("a map", () => {
  expect(mapRequestOf({ url, search: "a", sitemap: "only" }, "v2")).toEqual({
    url,
    search: "a",
    sitemaps: "only",
    include_subdomains: true,
  });
  expect(mapRequestOf({ url, ignoreSitemap: true, includeSubdomains: false }, "v1")).toMatchObject({
    sitemaps: "skip",
    include_subdomains: false,
  });
  const page = (path: string, title: string | null) => ({ url: url + path, title, description: null });
  const found = {
    url,
    data: [page("a?x=1", "A"), page("b", null), page("a?x=2", "A2")],
    total: 3,
    complete: true,
  };
  expect(linksOf(found, {}, "v2")).toEqual([{ url: `${url}a`, title: "A" }, { url: `${url}b` }]);
  expect(linksOf(found, { ignoreQueryParameters: false }, "v2")).toHaveLength(3);
  expect(linksOf(found, {}, "v1")).toEqual([`${url}a?x=1`, `${url}b`, `${url}a?x=2`]);
});

test("an extract", () => {
  const { page, urls } = extractRequestOf({ urls: [url], prompt: "p", scrapeOptions: { waitFor: 5 } }, "v2");
  expect([urls, page]).toMatchObject([
    [url],
    { output: { formats: ["json"], json: { prompt: "p" } }, js_render: { wait_for: { ms: 5 } } },
  ]);
  expect(refusedBy(() => extractRequestOf({ prompt: "p" }, "v2"))).toEqual(["urls"]);
  expect(refusedBy(() => extractRequestOf({ urls: [`${url}*`], prompt: "p" }, "v2"))).toEqual(["urls.0"]);
  expect(
    refusedBy(() => extractRequestOf({ urls: [url], prompt: "p", enableWebSearch: true }, "v2")),
  ).toEqual(["enableWebSearch"]);
  expect(joined([{ a: null, list: [1, 2] }, { a: "x", list: [2, 3], b: 1 }, { b: 2 }])).toEqual({
    a: "x",
    list: [1, 2, 3],
    b: 1,
  });
});

test("a search", () => {
  const { request, sources, page } = searchRequestOf(
    { query: "q", excludeDomains: ["a.test"], tbs: "qdr:w", sources: ["web", { type: "news" }] },
    "v2",
  );
  expect(request).toEqual({
    query: "q -site:a.test",
    limit: 10,
    timeout: 60_000,
    safe: false,
    within: "week",
  });
  expect([sources, page]).toEqual([["web", "news"], undefined]);
  expect(searchRequestOf({ query: "q", lang: "en", country: "gb" }, "v1").request).toMatchObject({
    limit: 5,
    language: "en-GB",
  });
  expect(refusedBy(() => searchRequestOf({ query: "q", tbs: "qdr:h" }, "v2"))).toEqual(["tbs"]);
  expect(refusedBy(() => searchRequestOf({ query: "q", sources: ["alexandria"] }, "v2"))).toEqual([
    "sources.0",
  ]);
  const found = [{ url, title: "T", description: "D", image_url: null, date: "2026" }];
  expect(resultsOf(found, "news")).toEqual([{ url, title: "T", snippet: "D", date: "2026", position: 1 }]);
});

test("the state of a job, and where its pages go on", () => {
  const progress = { discovered: 9, queued: 2, running: 1, completed: 3, failed: 1, skipped: 2 };
  const job = {
    version: "v1" as const,
    status: "crawling",
    progress,
    started_at: "2026-01-01T00:00:00.000Z",
    ended_at: null,
    expires_at: null,
  };
  const asked = { context: { resultRetentionMs: 3_600_000 } };
  expect(stateOf(job, asked)).toEqual({
    success: true,
    status: "scraping",
    total: 7,
    completed: 3,
    creditsUsed: 3,
    expiresAt: "2026-01-01T01:00:00.000Z",
  });
  const page = { metadata: { final_url: url } } as never;
  expect(nextOf({ next_cursor: "7", data: [page] }, "https://m/v2/crawl/c", 100)).toEqual({
    next: "https://m/v2/crawl/c?skip=7",
  });
  // While it runs the list has no end of its own: clients that follow it must come to one.
  expect(nextOf({ next_cursor: "7", data: [] }, "https://m", 100)).toEqual({});
  expect(nextOf({ next_cursor: null, data: [page] }, "https://m", 100)).toEqual({});
});

test("errors of pages, without those that were skipped for other reasons", () => {
  const entry = (code: string, status: "failed" | "skipped") => ({
    url: `${url}${code}`,
    status,
    code,
    message: "M.",
  });
  const listed = [entry("tls_error", "failed"), entry("robots", "skipped"), entry("duplicate", "skipped")];
  expect(errorListOf(listed)).toEqual({
    success: true,
    errors: [{ id: `${url}tls_error`, url: `${url}tls_error`, code: "TLS_ERROR", error: "M." }],
    robotsBlocked: [`${url}robots`],
  });
});

test("an error in their form", () => {
  const shown = { status: 502, code: "tls_error" as const, message: "M.", extras: { scrape_id: "scr_1" } };
  expect(failure(shown, "r")).toEqual({
    status: 500,
    body: { success: false, code: "SCRAPE_SSL_ERROR", error: "M.", request_id: "r", scrapeId: "scr_1" },
  });
});

test("a refusal of ours in their names", () => {
  const names = [["request.headers", "headers"]] as const;
  const refusal = inTheirNames(
    invalid("request.headers.host", "forbidden_header", "`request.headers.host` is not allowed."),
    names,
  );
  expect(refusal).toMatchObject({
    type: "validation_failed",
    message: "`headers.host` is not allowed.",
    data: { details: [{ field: "headers.host", code: "forbidden_header" }] },
  });
  const byValidator = {
    type: "VALIDATION_ERROR",
    data: [{ type: "numberMax", field: "limit", expected: 5, action: { name: "a" } }],
  };
  expect(inTheirNames(byValidator, [["limit", "max"]])).toMatchObject({
    message: "`max` must be at most 5.",
  });
  const other = fail("not_found", "No.");
  expect(inTheirNames(other, names)).toBe(other);
});

test.each([
  ["https://a.test/b?c=d", "https://a.test/b?c=d"],
  ["https:/a.test/b//c", "https://a.test/b//c"],
  ["https%3A%2F%2Fa.test%2Fb%3Fc", "https://a.test/b?c"],
  ["https%3A%2F%2Fa%zz", "https%3A%2F%2Fa%zz"],
  ["a.test", "a.test"],
])("the URL behind the path %s", (rest, whole) => {
  expect(wholeUrl(rest)).toBe(whole);
});
