import { codeOf, fail } from "../contracts/errors.ts";
import type { Drive } from "./drive.ts";
import { pageId, type StoredPage } from "./room.ts";

type Content = Omit<StoredPage, "_id" | "crawlId" | "fence">;

/**
 * Writes what came of a page, whatever an earlier drive of the crawl has left of it. Rejects with `conflict` when a later
 * drive has written it: a process that was stopped for a while may wake with the page in its hands.
 */
export async function keepPage(
  { room: { pages }, crawl, fence }: Pick<Drive, "room" | "crawl" | "fence">,
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
    throw fail("conflict", "This crawl is driven by someone else.");
}

/** All that an earlier drive may have left and this one does not have. */
function missingFrom(content: Content): { [Field in keyof Content]?: true } {
  const fields = ["data", "original", "isCopy", "trouble", "statusCode"] as const;
  return Object.fromEntries(fields.filter(field => content[field] === undefined).map(field => [field, true]));
}
