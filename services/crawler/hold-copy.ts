import type { Candidate, Claim } from "../../mixins/frontier/frontier.ts";
import type { Copy } from "./copies.ts";
import type { Drive } from "./drive.ts";
import { endCopy } from "./end-page.ts";
import { keepPage } from "./keep-page.ts";
import { aliasesOf } from "./landing.ts";
import { pageId, type StoredPage } from "./room.ts";

/** A copy as it was read. */
type ReadCopy = Required<Pick<StoredPage, "bytes" | "data">> & { original: Candidate };

/**
 * Lets a page wait that says to be a copy of another, until it is known what becomes of that one. It keeps its place
 * within the limit, so that its content is not lost; its links are offered before it is written down, so that it need
 * not be read again.
 */
export async function holdCopy(
  drive: Drive,
  claim: Claim,
  { bytes, data, original }: ReadCopy,
  links: Candidate[],
): Promise<void> {
  const { room, crawl, fence } = drive;
  await room.frontier.offer(crawl._id, fence, [original, ...links]);
  await keepPage(drive, claim.key, { bytes, data, original: original.key });
  await awaitOriginal(drive, { key: claim.key, original: original.key, aliases: aliasesOf(claim, data) });
}

/** The copy that a page is known to be from an earlier drive; null for one that is to be read. */
export async function heldCopy({ room, crawl }: Drive, claim: Claim): Promise<Copy | null> {
  const { original, data } = (await room.pages.findById(pageId(crawl._id, claim.key))) ?? {};
  return original !== undefined && data
    ? { key: claim.key, original, aliases: aliasesOf(claim, data) }
    : null;
}

/** Of a ring of copies the one that closes it is kept. */
export async function awaitOriginal(drive: Drive, copy: Copy): Promise<void> {
  if (!drive.copies.add(copy)) return await endCopy(drive, copy, false);
  // The original may have ended while nobody waited for it.
  const isThere = await isOriginalThere(drive, copy);
  if (isThere !== null && drive.copies.remove(copy)) await endCopy(drive, copy, isThere);
}

/** Whether the results have the original's content, or will; null while that is open. */
async function isOriginalThere({ room, crawl }: Drive, { original }: Copy): Promise<boolean | null> {
  const found = await room.pages.findById(pageId(crawl._id, original));
  if (!found || found.original !== undefined) return null;
  return found.isCopy === true || (found.data !== undefined && found.data.metadata.status_code < 400);
}
