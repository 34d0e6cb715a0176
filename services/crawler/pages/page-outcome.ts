import type { Candidate, Claim, Outcome } from "../../../mixins/frontier/frontier.ts";
import type { ScrapeData } from "../../contracts/page.contract.ts";
import type { CrawlRun } from "../crawl-run.ts";
import type { PageError, StoredCrawl } from "../crawls.store.ts";
import { maxAnswerBytes } from "../results/crawl-results.ts";
import { type CrawlRules, maxHops, pageAt, rulesOf } from "./crawl-rules.ts";
import { entryOf, isEntry, nextEntry } from "./entry-page.ts";
import { tooLarge, tooManyRedirects } from "./page-errors.ts";
import type { PageContent } from "./page-record.ts";
import { ignoresRobots, type Reading, type ReadPage } from "./read-page.ts";

/** What becomes of a page that was taken. `endPage` writes it. */
export type PageOutcome = NotRead | Held | Ended;

/** The page is not read. `postponed`: it is taken again later. `refused`: no page is taken any more. */
type NotRead = Extract<Reading, { kind: "postponed" | "refused" }>;

/** The page names another one as canonical, and waits for the end of that one with its content. */
export interface Held {
  kind: "held";
  content: Required<Pick<PageContent, "bytes" | "data">>;
  original: Candidate;
  aliases: string[];
  links: Candidate[];
}

export interface Ended {
  kind: "ended";
  /** The crawl's entry page, when this is it. */
  entry?: NonNullable<StoredCrawl["entry"]>;
  /** Why the crawl fails, when it has no entry page but this one. */
  failing?: PageError;
  /** The record of a page that was read or has failed. */
  content?: PageContent;
  end: Outcome;
  /** Pages that are added to the crawl. */
  links: Candidate[];
}

/** Decides what becomes of a page after it was read. Writes nothing. */
export async function outcomeOf(run: CrawlRun, claim: Claim, reading: Reading): Promise<PageOutcome> {
  switch (reading.kind) {
    case "postponed":
    case "refused":
      return reading;
    case "redirect":
      return await redirected(run, claim, reading.url);
    case "skipped":
      return skipped(run, claim, reading);
    case "failed":
      return failed(run, claim, reading.error, reading.statusCode);
    case "page":
      return run.crawl.kind === "batch"
        ? named(run, claim, reading.page)
        : await read(run, claim, reading.page);
  }
}

async function redirected(run: CrawlRun, claim: Claim, url: string): Promise<Ended> {
  if (isEntry(run, claim)) {
    const next = nextEntry(run, claim, url);
    return "code" in next ? failed(run, claim, next) : elsewhere(next);
  }
  if (claim.hops >= maxHops) return failed(run, claim, tooManyRedirects);
  return elsewhere((await run.rules?.ledTo(claim, url, run.signal)) ?? null);
}

function elsewhere(target: Candidate | null): Ended {
  return { kind: "ended", end: { state: "skipped", reason: "redirect" }, links: target ? [target] : [] };
}

function skipped(run: CrawlRun, claim: Claim, { code, message }: PageError): Ended {
  const failing = isEntry(run, claim) && { failing: { code, message } };
  return { kind: "ended", ...failing, end: { state: "skipped", reason: code }, links: [] };
}

function failed(run: CrawlRun, claim: Claim, error: PageError, statusCode?: number): Ended {
  return {
    kind: "ended",
    ...(isEntry(run, claim) && { failing: error }),
    content: { bytes: 0, error, ...(statusCode !== undefined && { statusCode }) },
    end: { state: "failed", reason: error.code },
    links: [],
  };
}

async function read(run: CrawlRun, claim: Claim, page: ReadPage): Promise<Ended | Held> {
  const { data } = page;
  const bytes = bytesOf(data);
  if (bytes > maxAnswerBytes) return failed(run, claim, tooLarge, statusOf(data));
  const content = { bytes, data };
  const aliases = aliasesOf(run.crawl, claim, data);
  const entry = isEntry(run, claim) ? entryOf(claim, data) : undefined;
  const rules = entry ? rulesOf(run.crawl, entry.url, run.context) : run.rules;
  const links = await linksOf(run, rules, claim, page);
  const original = entry ? null : await originalOf(run, rules, claim, data);
  if (original) return { kind: "held", content, original, aliases, links };
  return { kind: "ended", ...(entry && { entry }), content, end: { state: "completed", aliases }, links };
}

/** A page of a batch is no duplicate: another URL of the list may lead to the same one, and has a result of its own. */
function named(run: CrawlRun, claim: Claim, { data: { metadata, ...formats } }: ReadPage): Ended {
  const data = { ...formats, metadata: { ...metadata, source_url: claim.url } };
  const bytes = bytesOf(data);
  if (bytes > maxAnswerBytes) return failed(run, claim, tooLarge, statusOf(data));
  return { kind: "ended", content: { bytes, data }, end: { state: "completed" }, links: [] };
}

function bytesOf(data: ScrapeData): number {
  return Buffer.byteLength(JSON.stringify(data));
}

/** No links of pages with `nofollow`, of error pages, and of pages whose scripts have left the site. */
async function linksOf(
  run: CrawlRun,
  rules: CrawlRules | undefined,
  claim: Claim,
  { data, links, nofollow }: ReadPage,
): Promise<Candidate[]> {
  const { crawl, offered, signal } = run;
  const isForbidden = nofollow && !ignoresRobots(run, claim.url);
  if (!rules || isForbidden || statusOf(data) >= 400) return [];
  const [landing] = aliasesOf(crawl, claim, data);
  const led = landing === undefined ? null : await rules.ledTo(claim, data.metadata.final_url, signal);
  const isOff = landing !== undefined && led?.external !== false;
  return isOff ? [] : await rules.linked(claim, links, offered, signal);
}

/**
 * The page that this one names as canonical (RFC 6596), if the crawl can take it instead. Ignores pages of another host,
 * duplicates of duplicates, and the start page, which many sites name on every page by mistake.
 */
async function originalOf(
  { crawl, signal }: CrawlRun,
  rules: CrawlRules | undefined,
  claim: Claim,
  data: ScrapeData,
): Promise<Candidate | null> {
  const called = URL.parse(data.metadata.canonical_url ?? "", claim.url);
  const canonical = called && pageAt(called.href, crawl.request);
  if (!canonical || statusOf(data) >= 300 || claim.hops > 0) return null;
  const own = [claim.key, ...aliasesOf(crawl, claim, data)];
  const isElsewhere = called.host !== new URL(claim.url).host || called.pathname === "/";
  if (own.includes(canonical.key) || isElsewhere || !rules) return null;
  return await rules.ledTo(claim, canonical.url, signal);
}

function statusOf({ metadata }: ScrapeData): number {
  return metadata.status_code;
}

/** The key of the URL that a page has set itself (`history.pushState`), if it differs from its own. */
export function aliasesOf(
  { request }: Pick<StoredCrawl, "request">,
  { key }: Pick<Claim, "key">,
  { metadata }: ScrapeData,
): string[] {
  const landing = pageAt(metadata.final_url, request);
  return landing && landing.key !== key ? [landing.key] : [];
}
