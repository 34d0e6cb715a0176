import { codeOf, fail } from "../../contracts/errors.ts";
import type { CrawlRun } from "../crawl-run.ts";
import { isoTime, pageId, type StoredPage } from "../crawls.store.ts";

/** The record of a page without what names it. */
export type PageContent = Omit<StoredPage, "_id" | "fence" | "writtenAt">;

/**
 * Writes the record of a page, over that of any earlier run. Rejects with `conflict` when a later run has written it: a
 * process that was paused may continue with an old page.
 */
export async function writePage(
  { context: { pages, now }, crawl, fence }: Pick<CrawlRun, "context" | "crawl" | "fence">,
  key: string,
  content: PageContent,
): Promise<void> {
  const _id = pageId(crawl._id, key);
  const written = { fence, writtenAt: isoTime(now()), ...content };
  try {
    // A loss of power that undoes this undoes the end of the page in the frontier, too: it is read again.
    await pages.insertMany([{ _id, ...written }], "end of process");
    return;
  } catch (error) {
    if (codeOf(error) !== "conflict") throw error;
  }
  const update = { $set: written, $unset: missingFrom(content) };
  if ((await pages.updateMany({ _id, fence: { $lte: fence } }, update)) === 0)
    throw fail("conflict", "Another run has this crawl.");
}

/** Fields that an earlier run may have written and this record does not have. */
function missingFrom(content: PageContent): { [Field in keyof PageContent]?: true } {
  const fields = ["data", "original", "isCopy", "error", "statusCode"] as const;
  return Object.fromEntries(fields.filter(field => content[field] === undefined).map(field => [field, true]));
}

/** Whether the results have the content of a page that has ended, possibly under another page. */
export function isInResults({ isCopy, data }: Pick<PageContent, "isCopy" | "data">): boolean {
  return isCopy === true || (data !== undefined && data.metadata.status_code < 400);
}
