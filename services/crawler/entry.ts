import type { Candidate, Claim } from "../../mixins/frontier/frontier.ts";
import type { CrawledPage } from "../contracts/scraper.contract.ts";
import { canonicalUrl } from "../domain/crawl/canonical-url.ts";
import { entryAt, maxHops, rulesOf } from "./crawl-rules.ts";
import type { Drive } from "./drive.ts";
import type { Trouble } from "./room.ts";

/** Whether a page is the one that a crawl begins with; until one is read, every page is. */
export function isEntry({ crawl: { entry } }: Drive, { key }: Pick<Claim, "key">): boolean {
  return entry === undefined || entry.key === key;
}

export async function offerEntry(drive: Drive): Promise<void> {
  const { room, crawl, fence } = drive;
  const entry = entryAt(crawl.request.url, 0, room.egress);
  if (entry) await room.frontier.offer(crawl._id, fence, [entry]);
  else await failEntry(drive, notAllowed);
}

/** Where the entry's server leads; a trouble when the crawl cannot follow it there. */
export function nextEntry({ room }: Drive, { hops }: Claim, url: string): Candidate | Trouble {
  if (hops >= maxHops) return endless;
  return entryAt(url, hops + 1, room.egress) ?? notAllowed;
}

/** Keeps where the crawl begins, before the entry page ends: its links are judged by that. */
export async function keepEntry(drive: Drive, { key, url }: Claim, page: ReadPage): Promise<void> {
  const { room, crawl } = drive;
  const landed = canonicalUrl(page.data.metadata.final_url);
  const entry = { key, url: landed?.url ?? url };
  await room.crawls.update(crawl._id, { $set: { entry } });
  drive.crawl = { ...crawl, entry };
  drive.rules = rulesOf(crawl, entry.url, room.egress);
}

export type ReadPage = Extract<CrawledPage, { kind: "page" }>;

/** Keeps why the crawl fails, before its entry page ends. */
export async function failEntry(drive: Drive, error: Trouble): Promise<void> {
  const { room, crawl } = drive;
  // One that has slept over its page would fail what another one reads.
  await drive.confirm();
  const failing = { stopReason: "entry_failed", error } as const;
  await room.crawls.update(crawl._id, { $set: { failing } });
  drive.crawl = { ...crawl, failing };
}

export const endless: Trouble = {
  code: "upstream_error",
  message: "The site redirects in a loop or too many times.",
};

const notAllowed: Trouble = {
  code: "url_not_allowed",
  message: "The server leads to a URL that is not allowed.",
};
