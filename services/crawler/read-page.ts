import { setTimeout as delay } from "node:timers/promises";
import { untilAborted } from "../../mixins/deadline/until-aborted.ts";
import type { Claim } from "../../mixins/frontier/frontier.ts";
import { codeOf } from "../contracts/errors.ts";
import type { CrawledPage, ScrapeRequest } from "../contracts/scraper.contract.ts";
import type { RobotsBook } from "./robots-book.ts";
import type { CrawlerRoom, StoredCrawl, Trouble } from "./room.ts";
import { skipSentences } from "./skip-sentences.ts";

type Page = Extract<CrawledPage, { kind: "page" }>;

/** What came of a look at a page. */
export type Reading =
  | { kind: "page"; page: Page }
  /** To a page with a key of its own. */
  | { kind: "redirect"; url: string }
  | { kind: "skipped"; code: string; message: string }
  | { kind: "failed"; trouble: Trouble; statusCode?: number }
  | { kind: "postponed"; forMs: number };

type Unread = Extract<Reading, { kind: "skipped" | "failed" }>;

/** What one crawl's pages are read with. */
export interface Visits {
  room: CrawlerRoom;
  crawl: StoredCrawl;
  robots: RobotsBook;
  /** Rejects with `conflict` when another drives the crawl: a process may have been stopped for a while. */
  confirm(): Promise<void>;
  /** Ends what is under way. */
  signal: AbortSignal;
  /** Ends what has not begun: fires when `signal` does, and earlier when the room is about to stop. */
  beginning: AbortSignal;
}

/** Milliseconds that the scraper has for a page. */
const pageTimeoutMs = 30_000;
const tries = 3;
/** The shortest waits before the second and the third try. */
const backoffMs = [1000, 4000];
const longestWaitMs = 300_000;

/** Looks at one page, in its host's turn and by its host's rules. */
export async function readPage(claim: Claim, visits: Visits): Promise<Reading> {
  const host = await visits.robots.rulesFor(claim.url);
  if ("failure" in host) return failed(host.failure, visits);
  if (!host.rules.allows(claim.url)) return robotsForbid;
  const errand = { url: claim.url, spacingMs: Math.min(host.rules.crawlDelayMs ?? 0, longestSpacingMs) };
  const found = await look(errand, visits).catch(error => failed(error, visits));
  return found.kind === "page" ? await judge(found, claim, visits) : found;
}

const robotsForbid: Reading = { kind: "skipped", code: "robots", message: skipSentences.robots };

/** Asked again while no scraper is there; never once one has fetched the page. */
async function look(
  { url, spacingMs }: { url: string; spacingMs: number },
  { room, crawl, confirm, signal, beginning }: Visits,
): Promise<CrawledPage> {
  const errand = { crawlId: crawl._id, url, spacingMs };
  for (let waitMs = 250; ; waitMs = Math.min(2 * waitMs, 10_000)) {
    try {
      return await room.manners.visit(errand, beginning, () =>
        room.turns.run(crawl._id, beginning, async () => {
          await confirm();
          // The call itself goes on when nobody waits for it any more; its deadline ends it.
          return await untilAborted(room.askForPage(crawl, requestFor(crawl, url)), signal);
        }),
      );
    } catch (error) {
      if (beginning.aborted || !isAway(error)) throw error;
    }
    await delay(waitMs, undefined, { signal: beginning });
  }
}

/** A `Crawl-delay` beyond this would keep a crawl from ever ending. */
const longestSpacingMs = 60_000;

function requestFor({ request }: StoredCrawl, url: string): ScrapeRequest {
  const { output, request: options, js_render, proxy } = request;
  const usual = { mode: "sync", breakdown: false, timeout: pageTimeoutMs } as const;
  return { url, ...usual, output, request: options, js_render, proxy };
}

/** No scraper is there, or none any more: in a cluster they come and go. */
function isAway(error: unknown): boolean {
  const { type } = error as { type?: unknown };
  return ["SERVICE_NOT_FOUND", "SERVICE_NOT_AVAILABLE", "REQUEST_REJECTED", "BAD_GATEWAY"].includes(
    String(type),
  );
}

/** A site that wants to be left alone is, all of it, and asked again. */
async function judge(page: Page, claim: Claim, visits: Visits): Promise<Reading> {
  const status = page.data.metadata.status_code;
  if (status !== 429 && status !== 503) return { kind: "page", page };
  const leastMs = backoffMs[claim.tries] ?? 0;
  const forMs = Math.min(Math.max(page.retryAfterMs ?? 0, leastMs), longestWaitMs);
  if (page.retryAfterMs !== null || status === 429) await leaveAlone(claim.url, forMs, visits);
  if (claim.tries + 1 < tries) return { kind: "postponed", forMs };
  const message = `The site answered ${status} each of ${tries} times.`;
  return { kind: "failed", trouble: { code: "upstream_error", message }, statusCode: status };
}

/** A page that was read is not given up because others cannot be told. */
async function leaveAlone(url: string, ms: number, { room, crawl }: Visits): Promise<void> {
  await room.manners
    .leaveAlone(url, ms)
    .catch(error => room.onFault("crawl.host_not_left_alone", crawl._id, error));
}

function failed(error: unknown, { room, crawl, beginning }: Visits): Unread {
  beginning.throwIfAborted();
  const code = codeOf(error);
  if (code === "conflict") throw error;
  if (code === "unsupported_media_type") return { kind: "skipped", code, message: (error as Error).message };
  if (code !== undefined) return { kind: "failed", trouble: { code, message: (error as Error).message } };
  const isLate = (error as { type?: unknown }).type === "REQUEST_TIMEOUT";
  if (!isLate) room.onFault("page.broken", crawl._id, error);
  const trouble = isLate
    ? { code: "scrape_timeout", message: "The page was not ready in time." }
    : { code: "internal_error", message: "The page could not be read." };
  return { kind: "failed", trouble };
}
