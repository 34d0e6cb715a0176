import type { Candidate, Claim } from "../../mixins/frontier/frontier.ts";
import type { ScrapeData } from "../contracts/scraper.contract.ts";
import { canonicalUrl } from "../domain/crawl/canonical-url.ts";
import { maxAnswerBytes } from "./crawl-status.ts";
import type { Drive } from "./drive.ts";
import { type End, endPage } from "./end-page.ts";
import { failEntry, isEntry, keepEntry, nextEntry, type ReadPage } from "./entry.ts";
import { holdCopy } from "./hold-copy.ts";
import { keepPage } from "./keep-page.ts";
import { aliasesOf } from "./landing.ts";
import type { Reading } from "./read-page.ts";
import type { Trouble } from "./room.ts";

/** Writes what came of a page: its data first, so that a page which has ended has them; then its end with its links. */
export async function settlePage(drive: Drive, claim: Claim, reading: Reading): Promise<void> {
  switch (reading.kind) {
    case "postponed":
      return await postpone(drive, claim, reading.forMs);
    case "redirect":
      return await settleRedirect(drive, claim, reading.url);
    case "skipped":
      return await settleSkipped(drive, claim, reading);
    case "failed":
      return await settleFailed(drive, claim, reading.trouble, reading.statusCode);
    case "page":
      return await settleRead(drive, claim, reading.page);
  }
}

async function postpone({ room, crawl, fence }: Drive, { key }: Claim, forMs: number): Promise<void> {
  await room.frontier.postpone(crawl._id, fence, key, room.now() + forMs);
}

async function settleRedirect(drive: Drive, claim: Claim, url: string): Promise<void> {
  if (isEntry(drive, claim)) {
    const next = nextEntry(drive, claim, url);
    if ("code" in next) return await settleFailed(drive, claim, next);
    return await endPage(drive, claim.key, elsewhere, [next]);
  }
  const target = drive.rules?.ledTo(claim, url);
  await endPage(drive, claim.key, elsewhere, target ? [target] : []);
}

const elsewhere: End = { state: "skipped", reason: "redirect", brings: false };

async function settleSkipped(
  drive: Drive,
  claim: Claim,
  { code, message }: { code: string; message: string },
): Promise<void> {
  if (isEntry(drive, claim)) await failEntry(drive, { code, message });
  await endPage(drive, claim.key, { state: "skipped", reason: code, brings: false });
}

async function settleFailed(
  drive: Drive,
  claim: Claim,
  trouble: Trouble,
  statusCode?: number,
): Promise<void> {
  if (isEntry(drive, claim)) await failEntry(drive, trouble);
  await keepPage(drive, claim.key, { bytes: 0, trouble, ...(statusCode !== undefined && { statusCode }) });
  await endPage(drive, claim.key, { state: "failed", reason: trouble.code, brings: false });
}

async function settleRead(drive: Drive, claim: Claim, page: ReadPage): Promise<void> {
  const bytes = Buffer.byteLength(JSON.stringify(page.data));
  if (bytes > maxAnswerBytes) return await settleFailed(drive, claim, tooLarge, statusOf(page.data));
  const isFirst = isEntry(drive, claim);
  if (isFirst) await keepEntry(drive, claim, page);
  const links = linksOf(drive, claim, page);
  const original = isFirst ? null : originalOf(drive, claim, page.data);
  if (original) return await holdCopy(drive, claim, { bytes, data: page.data, original }, links);
  await keepPage(drive, claim.key, { bytes, data: page.data });
  const brings = statusOf(page.data) < 400;
  await endPage(
    drive,
    claim.key,
    { state: "completed", aliases: aliasesOf(claim, page.data), brings },
    links,
  );
}

const tooLarge: Trouble = {
  code: "payload_too_large",
  message: "The page has more data than an answer may hold: ask for fewer formats.",
};

/** Pages that say so, those that are errors, and those that scripts led off the site are not followed on from. */
function linksOf({ rules }: Drive, claim: Claim, { data, links, nofollow }: ReadPage): Candidate[] {
  if (!rules || nofollow || statusOf(data) >= 400) return [];
  const [landing] = aliasesOf(claim, data);
  const isOff = landing !== undefined && rules.ledTo(claim, data.metadata.final_url)?.external !== false;
  return isOff ? [] : rules.linked(claim, links);
}

/**
 * The page that this one says to be a copy of (RFC 6596), when the crawl can have that one instead. Not believed: pages
 * of another host, a copy of a copy, and the start page, which many sites name on every page by mistake.
 */
function originalOf({ rules }: Drive, claim: Claim, data: ScrapeData): Candidate | null {
  const named = URL.parse(data.metadata.canonical_url ?? "", claim.url);
  const canonical = named && canonicalUrl(named.href);
  if (!canonical || statusOf(data) >= 300 || claim.hops > 0) return null;
  const own = [claim.key, ...aliasesOf(claim, data)];
  const isElsewhere = named.host !== new URL(claim.url).host || named.pathname === "/";
  return own.includes(canonical.key) || isElsewhere ? null : (rules?.ledTo(claim, canonical.url) ?? null);
}

function statusOf({ metadata }: ScrapeData): number {
  return metadata.status_code;
}
