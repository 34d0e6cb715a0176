import type { Rule } from "../../contracts/schema.ts";
import { type Found, searchWeb } from "../../contracts/search.contract.ts";
import type { Document } from "../../domain/firecrawl/document.ts";
import { present } from "../../domain/json/fields.ts";
import { type Asked, answerWith, ask, readAll } from "./ask.ts";
import { withoutNulls } from "./checked-part.ts";
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
import { type PageBody, pageNames, pageRequestOf, pagesOptionsIn } from "./page-options.ts";

const sources: Rule = {
  type: "array",
  optional: true,
  items: { type: "multi", rules: [{ type: "string" }, { type: "object" }] },
};

/** The options of `POST /search`. */
export const searchOptions = {
  query: same({ type: "string", min: 1, max: 2048 }, "query"),
  limit: same(rules.number, "limit", "1 to 100; the default of v1 is 5, of v2 10"),
  sources: only("v2", differs(sources, undefined, "web, news and images")),
  includeDomains: only("v2", same(rules.texts)),
  excludeDomains: only("v2", same(rules.texts)),
  tbs: differs(rules.text, "within", "`qdr:d`, `qdr:w`, `qdr:m` and `qdr:y`; others are refused"),
  lang: only("v1", same(rules.text, "language")),
  country: differs(rules.text, "language", "of the language; without `lang` the search engine decides"),
  safe: only("v2", same(rules.flag, "safe")),
  timeout: same(
    rules.number,
    "timeout",
    "the default is 60,000; results that are not read by then have no content",
  ),
  scrapeOptions: differs(
    rules.object,
    undefined,
    "those of scrape; `timeout` is refused. Results are read where it names `formats`",
  ),
  ignoreInvalidURLs: ignored("results that cannot be read have no content"),
  highlights: ignored("descriptions are those of the search engine"),
  location: refused("The operator's search engine decides."),
  categories: refused("Use `includeDomains`."),
  filter: only("v1", refused("Say it in `query`.")),
  enterprise: refused("The operator's search engine decides."),
  domainTools: refused("Magpie finds no tools for a page."),
  toolDetail: ignored("belongs to `domainTools`"),
  threatProtection: refused("The operator decides which addresses are reached."),
  origin: ignored("names the client"),
  integration: ignored("names the client"),
} as const satisfies Options;

interface SearchBody {
  query: string;
  limit?: number;
  sources?: (string | { type?: unknown })[];
  includeDomains?: string[];
  excludeDomains?: string[];
  tbs?: string;
  lang?: string;
  country?: string;
  safe?: boolean;
  timeout?: number;
  scrapeOptions?: PageBody;
}

const defaultLimit: Record<Version, number> = { v1: 5, v2: 10 };
const defaultTimeoutMs = 60_000;
const kinds = { web: "general", news: "news", images: "images" } as const;
type Source = keyof typeof kinds;

/** Answers `POST /search`. */
export const searchAnswer = (version: Version) =>
  answerWith<SearchBody & Record<string, unknown>>(rulesOf(searchOptions, version), async (asked, body) => {
    const { request, sources, page } = searchRequestOf(body, version);
    const until = Date.now() + request.timeout;
    const data: Partial<Record<Source, unknown[]>> = {};
    for (const source of sources) {
      const found = await search(asked, { ...request, kind: kinds[source] });
      data[source] = await withContent(asked, resultsOf(found, source), page, until);
    }
    return { success: true, data: version === "v1" ? data.web : data };
  });

/** A search as Magpie takes it, and what is wanted of its results. Throws a 400 for what Magpie does not have. */
export function searchRequestOf(sent: SearchBody & Record<string, unknown>, version: Version) {
  const body = withoutNulls(sent);
  refuseOthers(searchOptions, body, version);
  const {
    scrapeOptions = {},
    limit = defaultLimit[version],
    timeout = defaultTimeoutMs,
    safe = false,
  } = body;
  const page = pagesOptionsIn(scrapeOptions, version);
  const request = {
    query: queryOf(body),
    limit,
    timeout,
    safe,
    ...present({ language: languageOf(body), within: withinOf(body.tbs) }),
  };
  const isRead = page.formats !== undefined && page.formats.length > 0;
  return {
    request,
    sources: sourcesOf(body.sources),
    page: isRead ? pageRequestOf(page, version, "scrapeOptions.") : undefined,
  };
}

function search(asked: Asked, request: { timeout: number; kind: string }): Promise<Found[]> {
  const names = [...fieldsOf(searchOptions), ...pageNames("scrapeOptions.")];
  return ask(asked, searchWeb, request, { timeout: request.timeout + 5000, names });
}

/** Search engines take domains in the query. */
function queryOf({ query, includeDomains = [], excludeDomains = [] }: SearchBody): string {
  const sites = includeDomains.map(domain => `site:${domain}`).join(" OR ");
  return [query, sites && `(${sites})`, ...excludeDomains.map(domain => `-site:${domain}`)]
    .filter(Boolean)
    .join(" ");
}

function languageOf({ lang, country }: SearchBody): string | undefined {
  return lang && country ? `${lang}-${country.toUpperCase()}` : lang;
}

const ages: Record<string, string> = { "qdr:d": "day", "qdr:w": "week", "qdr:m": "month", "qdr:y": "year" };

function withinOf(tbs: string | undefined): string | undefined {
  if (!tbs) return undefined;
  if (!Object.hasOwn(ages, tbs))
    throw refuse("tbs", `the time ${JSON.stringify(tbs)}. It has ${Object.keys(ages).join(", ")}.`);
  return ages[tbs];
}

function sourcesOf(sent: SearchBody["sources"] = ["web"]): Source[] {
  return sent.map((each, at) => {
    const type = typeof each === "string" ? each : each.type;
    if (type === "web" || type === "news" || type === "images") return type;
    throw refuse(
      `sources.${at}`,
      `the source ${JSON.stringify(type)}. It has ${Object.keys(kinds).join(", ")}.`,
    );
  });
}

type Result = Record<string, unknown> & { url: string };

export function resultsOf(found: Found[], source: Source): Result[] {
  return found.map(({ url, title, description, image_url, date }, at) => ({
    url,
    ...present({
      title: title ?? undefined,
      [source === "news" ? "snippet" : "description"]: description ?? undefined,
      imageUrl: image_url ?? undefined,
      date: date ?? undefined,
    }),
    position: at + 1,
  }));
}

/** The results with the pages behind them, where they are wanted. A page that cannot be read says so in its metadata. */
async function withContent(
  asked: Asked,
  results: Result[],
  page: object | undefined,
  until: number,
): Promise<unknown[]> {
  if (!page) return results;
  const documents: Document[] = await readAll(
    asked,
    results.map(({ url }) => url),
    page,
    until,
  );
  return results.map((result, at) => ({ ...result, ...documents[at] }));
}
