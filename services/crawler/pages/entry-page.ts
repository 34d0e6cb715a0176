import type { Candidate, Claim } from "../../../mixins/frontier/frontier.ts";
import { codeOf } from "../../contracts/errors.ts";
import type { ScrapeData } from "../../contracts/page.contract.ts";
import { canonicalUrl } from "../../domain/url/canonical-url.ts";
import type { CrawlRun } from "../crawl-run.ts";
import type { PageError, StoredCrawl } from "../crawls.store.ts";
import { entryAt, maxHops, rulesOf } from "./crawl-rules.ts";
import { tooManyRedirects } from "./page-errors.ts";

/** Whether a page is the entry of its crawl. Until the entry is known, every page is; a batch has none. */
export function isEntry({ crawl: { kind, entry } }: CrawlRun, { key }: Pick<Claim, "key">): boolean {
  return kind !== "batch" && (entry === undefined || entry.key === key);
}

export async function offerEntry(run: CrawlRun): Promise<void> {
  const { context, crawl, fence } = run;
  const entry = admittedEntry(crawl.request.url, 0, run);
  if ("code" in entry) await failEntry(run, entry);
  else await context.frontier.offer(crawl._id, fence, [entry]);
}

/** The target of the entry's redirect; an error when the crawl cannot follow it. */
export function nextEntry(run: CrawlRun, { hops }: Claim, url: string): Candidate | PageError {
  if (hops >= maxHops) return tooManyRedirects;
  return admittedEntry(url, hops + 1, run);
}

function admittedEntry(url: string, hops: number, { context, crawl }: CrawlRun): Candidate | PageError {
  try {
    return entryAt(url, hops, crawl, context.egress);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return { code, message: (error as Error).message };
  }
}

/** The entry page of a crawl, once it was read. Scripts may have changed its URL. */
export function entryOf({ key, url }: Claim, { metadata }: ScrapeData): Entry {
  return { key, url: canonicalUrl(metadata.final_url)?.url ?? url };
}

type Entry = NonNullable<StoredCrawl["entry"]>;

/** Stores the entry page before it ends: the scope for its links follows from it. */
export async function setEntry(run: CrawlRun, entry: Entry): Promise<void> {
  const { context, crawl } = run;
  await context.crawls.update(crawl._id, { $set: { entry } });
  run.crawl = { ...crawl, entry };
  run.rules = rulesOf(crawl, entry.url, context);
}

/** Stores why the crawl fails, before its entry page ends. */
export async function failEntry(run: CrawlRun, error: PageError): Promise<void> {
  const { context, crawl } = run;
  // A process that was paused must not fail a crawl that another run continues.
  await run.confirmOwnership();
  const failing = { stopReason: "entry_failed", error } as const;
  await context.crawls.update(crawl._id, { $set: { failing } });
  run.crawl = { ...crawl, failing };
}
