import type { Candidate, Claim } from "../../../mixins/frontier/frontier.ts";
import type { ScrapeData } from "../../contracts/page.contract.ts";
import { canonicalUrl } from "../../domain/url/canonical-url.ts";
import type { CrawlRun } from "../crawl-run.ts";
import type { PageError } from "../crawls.store.ts";
import { maxAnswerBytes } from "../results/crawl-results.ts";
import { maxHops } from "./crawl-rules.ts";
import { aliasesOf, type End, endPage, holdDuplicate, writePage } from "./end-page.ts";
import { failEntry, isEntry, nextEntry, type ReadPage, setEntry } from "./entry-page.ts";
import { tooLarge, tooManyRedirects } from "./page-errors.ts";
import type { Reading } from "./read-page.ts";

/** Ends a page after it was read. Writes its data first, then its end and links: a page that has ended has its data. */
export async function finishPage(run: CrawlRun, claim: Claim, reading: Reading): Promise<void> {
  switch (reading.kind) {
    case "postponed":
      return await postpone(run, claim, reading);
    case "refused":
      return await stopForQuota(run);
    case "redirect":
      return await finishRedirect(run, claim, reading.url);
    case "skipped":
      return await finishSkipped(run, claim, reading);
    case "failed":
      return await finishFailed(run, claim, reading.error, reading.statusCode);
    case "page":
      return await finishRead(run, claim, reading.page);
  }
}

/** Stores that a quota is used up: no page begins after that, and the crawl ends with what it has. */
async function stopForQuota(run: CrawlRun): Promise<void> {
  const { context, crawl } = run;
  // A process that was paused must not end a crawl that another run continues.
  await run.confirmOwnership();
  await context.crawls.update(crawl._id, { $set: { overQuota: true } });
  run.crawl = { ...run.crawl, overQuota: true };
}

async function postpone(
  { context, crawl, fence }: CrawlRun,
  { key }: Claim,
  { forMs, isTry }: Extract<Reading, { kind: "postponed" }>,
): Promise<void> {
  await context.frontier.postpone(crawl._id, fence, key, context.now() + forMs, isTry);
}

async function finishRedirect(run: CrawlRun, claim: Claim, url: string): Promise<void> {
  if (isEntry(run, claim)) {
    const next = nextEntry(run, claim, url);
    if ("code" in next) return await finishFailed(run, claim, next);
    return await endPage(run, claim.key, elsewhere, [next]);
  }
  if (claim.hops >= maxHops) return await finishFailed(run, claim, tooManyRedirects);
  const target = await run.rules?.ledTo(claim, url, run.signal);
  await endPage(run, claim.key, elsewhere, target ? [target] : []);
}

const elsewhere: End = { state: "skipped", reason: "redirect", brings: false };

async function finishSkipped(
  run: CrawlRun,
  claim: Claim,
  { code, message }: { code: string; message: string },
): Promise<void> {
  if (isEntry(run, claim)) await failEntry(run, { code, message });
  await endPage(run, claim.key, { state: "skipped", reason: code, brings: false });
}

async function finishFailed(
  run: CrawlRun,
  claim: Claim,
  error: PageError,
  statusCode?: number,
): Promise<void> {
  if (isEntry(run, claim)) await failEntry(run, error);
  await writePage(run, claim.key, {
    bytes: 0,
    trouble: error,
    ...(statusCode !== undefined && { statusCode }),
  });
  await endPage(run, claim.key, { state: "failed", reason: error.code, brings: false });
}

async function finishRead(run: CrawlRun, claim: Claim, page: ReadPage): Promise<void> {
  if (run.crawl.kind === "batch") return await finishNamed(run, claim, page.data);
  const bytes = bytesOf(page.data);
  if (bytes > maxAnswerBytes) return await finishFailed(run, claim, tooLarge, statusOf(page.data));
  const isFirst = isEntry(run, claim);
  if (isFirst) await setEntry(run, claim, page);
  const links = await linksOf(run, claim, page);
  const original = isFirst ? null : await originalOf(run, claim, page.data);
  if (original) return await holdDuplicate(run, claim, { bytes, data: page.data, original }, links);
  await writePage(run, claim.key, { bytes, data: page.data });
  const brings = statusOf(page.data) < 400;
  await endPage(run, claim.key, { state: "completed", aliases: aliasesOf(claim, page.data), brings }, links);
}

/** A page of a batch stands for itself: another URL of the list may lead to the same one, and has a result of its own. */
async function finishNamed(run: CrawlRun, claim: Claim, { metadata, ...formats }: ScrapeData): Promise<void> {
  const data = { ...formats, metadata: { ...metadata, source_url: claim.url } };
  const bytes = bytesOf(data);
  if (bytes > maxAnswerBytes) return await finishFailed(run, claim, tooLarge, statusOf(data));
  await writePage(run, claim.key, { bytes, data });
  await endPage(run, claim.key, { state: "completed", brings: true });
}

function bytesOf(data: ScrapeData): number {
  return Buffer.byteLength(JSON.stringify(data));
}

/** No links of pages with `nofollow`, of error pages, and of pages whose scripts have left the site. */
async function linksOf(
  { rules, signal }: CrawlRun,
  claim: Claim,
  { data, links, nofollow }: ReadPage,
): Promise<Candidate[]> {
  if (!rules || nofollow || statusOf(data) >= 400) return [];
  const [landing] = aliasesOf(claim, data);
  const led = landing === undefined ? null : await rules.ledTo(claim, data.metadata.final_url, signal);
  const isOff = landing !== undefined && led?.external !== false;
  return isOff ? [] : await rules.linked(claim, links, signal);
}

/**
 * The page that this one names as canonical (RFC 6596), if the crawl can take it instead. Ignores pages of another host,
 * duplicates of duplicates, and the start page, which many sites name on every page by mistake.
 */
async function originalOf(
  { rules, signal }: CrawlRun,
  claim: Claim,
  data: ScrapeData,
): Promise<Candidate | null> {
  const named = URL.parse(data.metadata.canonical_url ?? "", claim.url);
  const canonical = named && canonicalUrl(named.href);
  if (!canonical || statusOf(data) >= 300 || claim.hops > 0) return null;
  const own = [claim.key, ...aliasesOf(claim, data)];
  const isElsewhere = named.host !== new URL(claim.url).host || named.pathname === "/";
  if (own.includes(canonical.key) || isElsewhere || !rules) return null;
  return await rules.ledTo(claim, canonical.url, signal);
}

function statusOf({ metadata }: ScrapeData): number {
  return metadata.status_code;
}
