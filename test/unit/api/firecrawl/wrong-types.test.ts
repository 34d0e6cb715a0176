import {
  batchOptions,
  batchRequestOf,
  crawlOptions,
  crawlRequestOf,
} from "../../../../services/api/firecrawl/crawl.ts";
import { extractOptions, extractRequestOf } from "../../../../services/api/firecrawl/extract.ts";
import { mapOptions, mapRequestOf } from "../../../../services/api/firecrawl/map.ts";
import {
  monitorOptions,
  targetOptions,
  watchedCrawlOptions,
  watchedOptions,
} from "../../../../services/api/firecrawl/monitor-options.ts";
import { targetsOf } from "../../../../services/api/firecrawl/monitor-targets.ts";
import { type Options, rulesOf, type Version } from "../../../../services/api/firecrawl/options.ts";
import { pagesOptions } from "../../../../services/api/firecrawl/page-options.ts";
import { scrapeOptions, scrapeRequestOf } from "../../../../services/api/firecrawl/scrape.ts";
import { searchOptions, searchRequestOf } from "../../../../services/api/firecrawl/search.ts";
import { checkParams } from "../../../../services/api/request/check-params.ts";
import type { ParamsSchema } from "../../../../services/contracts/action.ts";
import { startBatch } from "../../../../services/contracts/batch.contract.ts";
import { startCrawl } from "../../../../services/contracts/crawler.contract.ts";
import { codeOf } from "../../../../services/contracts/errors.ts";
import { mapSite } from "../../../../services/contracts/map.contract.ts";
import { scrape } from "../../../../services/contracts/scraper.contract.ts";
import { searchWeb } from "../../../../services/contracts/search.contract.ts";

type Json = Record<string, unknown>;

interface Operation {
  options: Options;
  body: Json;
  /** The translation, and what checks what it made. */
  request(body: Json, version: Version): unknown;
  params?: ParamsSchema;
}

const url = "https://example.com/";
const operations: Record<string, Operation> = {
  scrape: {
    options: scrapeOptions,
    body: { url },
    request: (body, version) => scrapeRequestOf(body as never, version),
    params: scrape.params,
  },
  crawl: {
    options: crawlOptions,
    body: { url },
    request: (body, version) => crawlRequestOf(body as never, version),
    params: startCrawl.params,
  },
  batch: {
    options: batchOptions,
    body: { urls: [url] },
    request: (body, version) => batchRequestOf(body as never, version),
    params: startBatch.params,
  },
  map: {
    options: mapOptions,
    body: { url },
    request: (body, version) => mapRequestOf(body as never, version),
    params: mapSite.params,
  },
  search: {
    options: searchOptions,
    body: { query: "q" },
    request: (body, version) => ({ ...searchRequestOf(body as never, version).request, kind: "general" }),
    params: searchWeb.params,
  },
  extract: {
    options: extractOptions,
    body: { urls: [url], prompt: "p" },
    request: (body, version) => {
      const { urls, ignoreInvalid, page } = extractRequestOf(body as never, version);
      return { urls, ignore_invalid_urls: ignoreInvalid, ...page };
    },
    params: startBatch.params,
  },
  monitor: {
    options: monitorOptions,
    body: {},
    request: ({ targets }) => targetsOf((targets ?? []) as Json[]),
  },
};

/** One of each kind of JSON, in the places where another is meant. */
const values: unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e300, "", "x", "git-diff", "markdown", [], {}],
  ...[
    [null],
    [1],
    [""],
    ["x"],
    [[]],
    [{}],
    [{ type: null }],
    [{ type: {} }],
    [{ type: "json" }],
    [{ type: "changeTracking" }],
  ],
  ...[
    { x: null },
    { length: 1 },
    { type: "json" },
    { url: 1 },
    { url, events: [null] },
    { url, headers: { a: null } },
  ],
];

/** Objects whose fields have types of their own, within lists of the options. */
const parts: [field: string, part: Json, names: string[]][] = [
  ...["json", "changeTracking", "screenshot", "markdown"].map((type): [string, Json, string[]] => [
    "formats",
    { type },
    ["modes", "schema", "prompt", "tag", "fullPage", "quality", "viewport"],
  ]),
  ...["wait", "click", "write", "press", "scroll", "screenshot"].map((type): [string, Json, string[]] => [
    "actions",
    { type },
    ["milliseconds", "selector", "text", "key", "direction", "fullPage", "quality"],
  ]),
  ["parsers", { type: "pdf" }, ["mode", "maxPages", "type"]],
];
const within: [field: string, names: string[]][] = [
  ["location", ["country", "languages"]],
  ["jsonOptions", ["prompt", "schema", "systemPrompt"]],
  ["changeTrackingOptions", ["modes", "schema", "prompt", "tag"]],
];

/** The options of a page with each wrong type in each place. */
function* pages(): Generator<Json> {
  for (const value of values) {
    for (const name of Object.keys(pagesOptions)) yield { [name]: value };
    for (const [field, part, names] of parts)
      for (const name of names) yield { [field]: [{ ...part, [name]: value }] };
    for (const [field, names] of within)
      for (const name of names) yield { formats: ["json", "changeTracking"], [field]: { [name]: value } };
  }
}

function* bodiesOf({ options, body }: Operation): Generator<Json> {
  for (const value of values)
    for (const name of [...Object.keys(options), ...Object.keys(body)]) {
      yield { ...body, [name]: value };
      yield { ...body, integration: "n8n", scrapeOptions: {}, [name]: value };
    }
  for (const page of pages()) {
    if ("scrapeOptions" in options) yield { ...body, scrapeOptions: page };
    if ("formats" in options || "extract" in options) yield { ...body, ...page };
    yield { ...body, integration: "n8n", scrapeOptions: { formats: {} }, ...page };
  }
}

function* monitorBodies(): Generator<Json> {
  const target = { type: "scrape", urls: [url] };
  const site = { type: "crawl", url };
  for (const value of values) {
    for (const name of Object.keys(targetOptions))
      for (const each of [target, site, { type: "search", queries: ["q"] }])
        yield { targets: [{ ...each, [name]: value }] };
    for (const name of Object.keys(watchedOptions))
      yield { targets: [{ ...target, scrapeOptions: { [name]: value } }] };
    for (const name of Object.keys(watchedCrawlOptions))
      yield { targets: [{ ...site, crawlOptions: { [name]: value } }] };
  }
  for (const page of pages()) yield { targets: [{ ...target, scrapeOptions: page }] };
}

/** What goes wrong that is no refusal. */
function faultOf(
  { options, request, params }: Operation,
  rules: ParamsSchema,
  body: Json,
  version: Version,
): string | undefined {
  try {
    const sent = structuredClone(body);
    checkParams(rules, sent);
    const made = request(sent, version) as Json;
    if (params) checkParams(params, made);
  } catch (error) {
    if (codeOf(error) === "validation_failed") return undefined;
    return `${JSON.stringify(body)}: ${error instanceof Error ? error.message : JSON.stringify(options)}`;
  }
  return undefined;
}

describe.each(["v1", "v2"] as const)("%s", version => {
  test.each(Object.keys(operations))("a wrong type in a body of %s is refused, and never a fault", name => {
    const operation = operations[name] as Operation;
    const rules = rulesOf(operation.options, version);
    const faults: string[] = [];
    for (const bodies of [bodiesOf(operation), ...(name === "monitor" ? [monitorBodies()] : [])])
      for (const body of bodies) {
        const fault = faultOf(operation, rules, body, version);
        if (fault !== undefined) faults.push(fault);
      }
    expect(faults.slice(0, 20)).toEqual([]);
  });
});
