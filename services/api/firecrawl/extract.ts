import type { Action } from "../../contracts/action.ts";
import { batchStatus, startBatch } from "../../contracts/batch.contract.ts";
import { invalid } from "../../contracts/errors.ts";
import type { Rule } from "../../contracts/schema.ts";
import { type AcceptedScrape, scrape, scrapeStatus } from "../../contracts/scraper.contract.ts";
import type { PageData } from "../../domain/firecrawl/document.ts";
import { present } from "../../domain/json/fields.ts";
import { withScheme } from "./address.ts";
import { type Asked, answerWith, ask } from "./ask.ts";
import { withoutNulls } from "./checked-part.ts";
import { jobOptions } from "./crawl.ts";
import { keptUntil } from "./jobs.ts";
import { meantByNode } from "./n8n.ts";
import {
  differs,
  fieldsOf,
  ignored,
  type Options,
  refuse,
  refused,
  refuseOthers,
  rules,
  rulesOf,
  same,
  type Version,
} from "./options.ts";
import { type PageBody, pageNames, pageRequestOf, pagesOptionsIn } from "./page-options.ts";

const urls: Rule = { type: "array", items: { type: "string" }, optional: true };

/** The options of `POST /extract`. */
export const extractOptions = {
  urls: differs(urls, "urls", "required, at most 1,000, without `*`: Magpie reads these pages and no others"),
  prompt: same(rules.text, "output.json.prompt"),
  schema: differs(
    rules.object,
    "output.json.json_schema",
    "each page is read by it; of several pages lists are joined, and the first value counts",
  ),
  scrapeOptions: differs(rules.object, undefined, "those of scrape but for `formats`; `timeout` is refused"),
  showSources: same(rules.flag, undefined, "the addresses of the pages that gave something"),
  ignoreInvalidURLs: same(rules.flag, "ignore_invalid_urls", "the default is true"),
  ignoreSitemap: ignored("no sitemap is read"),
  includeSubdomains: ignored("no links are followed"),
  systemPrompt: refused("Say it in `prompt`."),
  enableWebSearch: refused("Search first, and send what was found as `urls`."),
  allowExternalLinks: refused("No links are followed."),
  agent: refused("Magpie has no agent."),
  threatProtection: refused("The operator decides which addresses are reached."),
  ...jobOptions,
  webhook: refused("Ask `GET /v2/extract/{id}`, or start a batch with a `webhook`."),
} as const satisfies Options;

interface ExtractBody {
  urls?: string[];
  prompt?: string;
  schema?: Record<string, unknown>;
  scrapeOptions?: PageBody;
  showSources?: boolean;
  ignoreInvalidURLs?: boolean;
  maxConcurrency?: number;
}

/** `POST /extract`: a scrape of one page, a batch of several. Its id is theirs, so nothing is kept beside them. */
export const extractAnswer = (version: Version) =>
  answerWith<ExtractBody & Record<string, unknown>>(rulesOf(extractOptions, version), async (asked, body) => {
    const { urls, ignoreInvalid, page } = extractRequestOf(body, version);
    const names = [...fieldsOf(extractOptions), ...pageNames("scrapeOptions.")];
    const [first = ""] = urls;
    const options = { names, idempotent: true };
    if (urls.length > 1) {
      const concurrency = present({ concurrency: body.maxConcurrency });
      const request = { urls, ignore_invalid_urls: ignoreInvalid, ...concurrency, ...page };
      const { batch_id, invalid_urls } = await ask(asked, startBatch, request, options);
      return {
        success: true,
        id: batch_id,
        urlTrace: [],
        ...(invalid_urls && { invalidURLs: invalid_urls }),
      };
    }
    const { scrape_id } = await ask(
      asked,
      scrapeLater,
      { url: first, mode: "async", ...page },
      { ...options, names: [["url", "urls.0"], ...names] },
    );
    return { success: true, id: scrape_id, urlTrace: [] };
  });

const scrapeLater = scrape as Action<unknown, AcceptedScrape>;

/** The pages and what is wanted of them. Throws a 400 that names what Magpie does not have. */
export function extractRequestOf(sent: ExtractBody & Record<string, unknown>, version: Version) {
  const body = meantByNode(withoutNulls(sent));
  refuseOthers(extractOptions, body, version);
  const { urls = [], prompt, schema, scrapeOptions = {}, ignoreInvalidURLs: ignoreInvalid = true } = body;
  const page = pagesOptionsIn(scrapeOptions, version);
  if (urls.length === 0)
    throw invalid("urls", "required", "`urls` is required: Magpie reads the pages that it names.");
  const wild = urls.findIndex(url => url.endsWith("*"));
  if (wild >= 0) throw refuse(`urls.${wild}`, "addresses with `*`. Ask /map for the pages first.");
  const json = { ...(prompt && { prompt }), ...(schema && { schema }) };
  return {
    urls: urls.map(withScheme),
    ignoreInvalid,
    page: pageRequestOf({ ...page, formats: [{ type: "json", ...json }] }, version, "scrapeOptions."),
  };
}

/** Answers `GET /extract/{id}`. */
export const extractStatusAnswer = answerWith<{ id: string }>(
  { id: { type: "string", min: 1, max: 64 } },
  (asked, { id }) => (id.startsWith("bat_") ? statusOfBatch(asked, id) : statusOfScrape(asked, id)),
);

async function statusOfScrape(asked: Asked, id: string) {
  const { status, url, data, error, started_at, ended_at } = await ask(asked, scrapeStatus, {
    scrape_id: id,
  });
  const since = ended_at ?? started_at ?? new Date().toISOString();
  const expiresAt = keptUntil(asked, since);
  if (status === "failed")
    return {
      success: false,
      status,
      data: null,
      error: error?.message ?? "The page could not be read.",
      expiresAt,
    };
  if (status === "pending") return { success: true, status: "processing", data: null, expiresAt };
  return {
    success: true,
    status,
    data: data?.json ?? null,
    sources: { urls: [url] },
    expiresAt,
    creditsUsed: 1,
  };
}

async function statusOfBatch(asked: Asked, id: string) {
  const { status, expires_at, started_at } = await ask(asked, batchStatus, { batch_id: id, limit: 1 });
  const expiresAt = expires_at ?? keptUntil(asked, started_at);
  if (status === "scraping") return { success: true, status: "processing", data: null, expiresAt };
  const pages = await pagesOf(asked, id);
  const found = pages.filter(({ json }) => json !== undefined);
  if (status !== "completed" || found.length === 0)
    return {
      success: false,
      status: status === "cancelled" ? status : "failed",
      data: null,
      error: "No page could be read.",
      expiresAt,
    };
  const sources = { urls: found.map(({ metadata }) => metadata.source_url ?? metadata.final_url) };
  return {
    success: true,
    status,
    data: joined(found.map(({ json }) => json ?? {})),
    sources,
    expiresAt,
    creditsUsed: found.length,
  };
}

async function pagesOf(asked: Asked, id: string): Promise<PageData[]> {
  const pages: PageData[] = [];
  let cursor: string | null | undefined;
  do {
    const page: { data: unknown[]; next_cursor: string | null } = await ask(asked, batchStatus, {
      batch_id: id,
      limit: 100,
      ...(cursor && { cursor }),
    });
    pages.push(...(page.data as PageData[]));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return pages;
}

/** What several pages gave, as one: lists are joined, each entry once; of single values the first one counts. */
export function joined(parts: Record<string, unknown>[]): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const [name, value] of parts.flatMap(part => Object.entries(part))) {
    const known = whole[name];
    if (Array.isArray(known) && Array.isArray(value)) whole[name] = unique([...known, ...value]);
    else if (known === undefined || known === null || known === "") whole[name] = value;
  }
  return whole;
}

function unique(values: unknown[]): unknown[] {
  return [...new Map(values.map(value => [JSON.stringify(value), value])).values()];
}
