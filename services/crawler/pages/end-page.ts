import type { Candidate, Claim, Outcome } from "../../../mixins/frontier/frontier.ts";
import { codeOf, fail } from "../../contracts/errors.ts";
import type { ScrapeData } from "../../contracts/page.contract.ts";
import { canonicalUrl } from "../../domain/url/canonical-url.ts";
import type { CrawlRun } from "../crawl-run.ts";
import { pageId, type StoredPage } from "../crawls.store.ts";
import type { Duplicate } from "./waiting-duplicates.ts";

type Content = Omit<StoredPage, "_id" | "crawlId" | "fence">;

/**
 * Writes the record of a page, over that of any earlier run. Rejects with `conflict` when a later run has written it: a
 * process that was paused may continue with an old page.
 */
export async function writePage(
  { context: { pages }, crawl, fence }: Pick<CrawlRun, "context" | "crawl" | "fence">,
  key: string,
  content: Content,
): Promise<void> {
  const _id = pageId(crawl._id, key);
  try {
    await pages.insert({ _id, crawlId: crawl._id, fence, ...content });
    return;
  } catch (error) {
    if (codeOf(error) !== "conflict") throw error;
  }
  const update = { $set: { ...content, fence }, $unset: missingFrom(content) };
  if ((await pages.updateMany({ _id, fence: { $lte: fence } }, update)) === 0)
    throw fail("conflict", "Another run has this crawl.");
}

/** Fields that an earlier run may have written and this record does not have. */
function missingFrom(content: Content): { [Field in keyof Content]?: true } {
  const fields = ["data", "original", "isCopy", "trouble", "statusCode"] as const;
  return Object.fromEntries(fields.filter(field => content[field] === undefined).map(field => [field, true]));
}

/** How a page ends, and whether the results then have its content, possibly under another page. */
export interface End extends Outcome {
  brings: boolean;
}

/** Pages that are added in one step: the frontier does nothing else meanwhile. */
const slice = 500;

/** Adds some candidates a slice at a time. Returns the last slice, which belongs to the next step. */
async function offerMany({ context, crawl, fence }: CrawlRun, candidates: Candidate[]): Promise<Candidate[]> {
  let at = 0;
  for (; at + slice < candidates.length; at += slice)
    await context.frontier.offer(crawl._id, fence, candidates.slice(at, at + slice));
  return candidates.slice(at);
}

/** Ends a page and adds the last of its links in one step, then ends its duplicates. */
export async function endPage(
  run: CrawlRun,
  key: string,
  { brings, ...outcome }: End,
  links: Candidate[] = [],
): Promise<void> {
  const { context, crawl, fence } = run;
  const last = await offerMany(run, links);
  run.counts = await context.frontier.settle(crawl._id, fence, key, outcome, last);
  context.onPage(outcome.state);
  await endDuplicatesOf(run, key, brings);
}

/**
 * Ends a duplicate that waited for its original: skipped when the results have its content, otherwise completed. Updates
 * its record after the frontier, and before the duplicates that wait for this one.
 */
export async function endDuplicate(
  run: CrawlRun,
  { key, aliases }: Duplicate,
  isThere: boolean,
): Promise<void> {
  const { context, crawl, fence } = run;
  const outcome: Outcome = isThere
    ? { state: "skipped", reason: "duplicate" }
    : { state: "completed", aliases };
  run.counts = await context.frontier.settle(crawl._id, fence, key, outcome, []);
  context.onPage(outcome.state);
  await context.pages.update(
    pageId(crawl._id, key),
    isThere
      ? { $set: { bytes: 0, isCopy: true }, $unset: { data: true, original: true } }
      : { $unset: { original: true } },
  );
  await endDuplicatesOf(run, key, true);
}

async function endDuplicatesOf(run: CrawlRun, original: string, isThere: boolean): Promise<void> {
  for (const duplicate of run.duplicates.release(original)) await endDuplicate(run, duplicate, isThere);
}

/** A duplicate with its content. */
type ReadDuplicate = Required<Pick<StoredPage, "bytes" | "data">> & { original: Candidate };

/**
 * Holds a page that names another one as canonical, until that one has ended. The page counts towards the limit, so its
 * content is not lost. Its links are added before its record is written, so it need not be read again.
 */
export async function holdDuplicate(
  run: CrawlRun,
  claim: Claim,
  { bytes, data, original }: ReadDuplicate,
  links: Candidate[],
): Promise<void> {
  const { context, crawl, fence } = run;
  await context.frontier.offer(crawl._id, fence, await offerMany(run, [original, ...links]));
  await writePage(run, claim.key, { bytes, data, original: original.key });
  await awaitOriginal(run, { key: claim.key, original: original.key, aliases: aliasesOf(claim, data) });
}

/** The duplicate that an earlier run has stored of a page; null for a page that has to be read. */
export async function heldDuplicate({ context, crawl }: CrawlRun, claim: Claim): Promise<Duplicate | null> {
  const { original, data } = (await context.pages.findById(pageId(crawl._id, claim.key))) ?? {};
  return original !== undefined && data
    ? { key: claim.key, original, aliases: aliasesOf(claim, data) }
    : null;
}

/** Ends a duplicate when its original has ended. Keeps the one that closes a ring of duplicates. */
export async function awaitOriginal(run: CrawlRun, duplicate: Duplicate): Promise<void> {
  if (!run.duplicates.add(duplicate)) return await endDuplicate(run, duplicate, false);
  // The original may have ended before this duplicate waited for it.
  const isThere = await isOriginalInResults(run, duplicate);
  if (isThere !== null && run.duplicates.remove(duplicate)) await endDuplicate(run, duplicate, isThere);
}

/** Whether the results have the original's content; null while that is open. */
async function isOriginalInResults(
  { context, crawl }: CrawlRun,
  { original }: Duplicate,
): Promise<boolean | null> {
  const found = await context.pages.findById(pageId(crawl._id, original));
  if (!found || found.original !== undefined) return null;
  return found.isCopy === true || (found.data !== undefined && found.data.metadata.status_code < 400);
}

/** The key of the URL that a page has set itself (`history.pushState`), if it differs from its own. */
export function aliasesOf({ key }: Pick<Claim, "key">, { metadata }: ScrapeData): string[] {
  const landing = canonicalUrl(metadata.final_url);
  return landing && landing.key !== key ? [landing.key] : [];
}
