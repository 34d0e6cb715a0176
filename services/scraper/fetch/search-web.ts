import { request } from "undici";
import { readBody } from "../../../mixins/egress/read-body.ts";
import { fail, invalid } from "../../contracts/errors.ts";
import type { Found, SearchRequest } from "../../contracts/search.contract.ts";

/** A search engine that answers with so many results a page is asked for so many pages, at most. */
const maxPages = 5;
const maxBytes = 4 * 1024 * 1024;

/**
 * Asks a SearXNG for as many results as wanted. Its address is the operator's, often within the own network: the guard is
 * for addresses of users.
 * Throws 400 where the operator has set none, and `upstream_error`.
 */
export async function searchWeb(searxngUrl: string | undefined, wanted: SearchRequest): Promise<Found[]> {
  if (searxngUrl === undefined)
    throw invalid(
      "query",
      "not_configured",
      "This installation has no search: its operator can set SEARXNG_URL to the address of a SearXNG.",
    );
  const signal = AbortSignal.timeout(wanted.timeout);
  const found = new Map<string, Found>();
  for (let page = 1; page <= maxPages && found.size < wanted.limit; page += 1) {
    const results = await askFor(addressOf(searxngUrl, wanted, page), signal);
    const before = found.size;
    for (const each of results) if (!found.has(each.url)) found.set(each.url, each);
    if (found.size === before) break;
  }
  return [...found.values()].slice(0, wanted.limit);
}

function addressOf(base: string, { query, kind, language, within, safe }: SearchRequest, page: number): URL {
  const url = new URL(`${base}/search`);
  const params = {
    q: query,
    format: "json",
    categories: kind,
    pageno: String(page),
    safesearch: safe ? "2" : "0",
  };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  if (language !== undefined) url.searchParams.set("language", language);
  if (within !== undefined) url.searchParams.set("time_range", within);
  return url;
}

async function askFor(url: URL, signal: AbortSignal): Promise<Found[]> {
  const answer = await textOf(url, signal);
  try {
    const { results, unresponsive_engines: silent = [] } = JSON.parse(answer) as Answer;
    if (results.length === 0 && silent.length > 0) throw new Error("none of its engines answered");
    return results.filter(({ url }) => typeof url === "string" && /^https?:/.test(url)).map(foundOf);
  } catch (cause) {
    const reason =
      cause instanceof SyntaxError || cause instanceof TypeError
        ? "The search engine gave an answer that is not its JSON."
        : `The search engine found nothing: ${(cause as Error).message}.`;
    throw fail("upstream_error", reason, {}, cause);
  }
}

/** The engines that it asks may refuse it: then an empty answer says nothing of the web. */
interface Answer {
  results: Result[];
  unresponsive_engines?: unknown[];
}

/** A SearXNG that does not allow `format=json` answers 403. */
async function textOf(url: URL, signal: AbortSignal): Promise<string> {
  try {
    const response = await request(url, { signal, headers: { accept: "application/json" } });
    const text = String(await readBody(response, maxBytes));
    if (response.statusCode === 200) return text;
    throw new Error(`it answered ${response.statusCode}`);
  } catch (cause) {
    if (signal.aborted) throw fail("scrape_timeout", "The search engine did not answer in time.", {}, cause);
    throw fail(
      "upstream_error",
      "The search engine cannot be used. It must be reachable, and allow the format json in its settings.",
      {},
      cause,
    );
  }
}

/** A result of SearXNG's JSON; every field may be missing. */
interface Result {
  url: string;
  title?: unknown;
  content?: unknown;
  img_src?: unknown;
  publishedDate?: unknown;
}

function foundOf({ url, title, content, img_src, publishedDate }: Result): Found {
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);
  return {
    url,
    title: text(title),
    description: text(content),
    image_url: text(img_src),
    date: text(publishedDate),
  };
}
