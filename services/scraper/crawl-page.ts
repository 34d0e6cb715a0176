import { withTimeout } from "../../mixins/async/timeout.ts";
import type { Quotas } from "../../mixins/clients/quotas.ts";
import { underSuspicion } from "../../mixins/runtime/crash-suspects.ts";
import { forbidsFollowing } from "../../reader/page/page-links.ts";
import { fail } from "../contracts/errors.ts";
import { type CrawledPage, endedNode } from "../contracts/page-reads.contract.ts";
import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import { canonicalUrl } from "../domain/url/canonical-url.ts";
import { retryAfterMs } from "../domain/url/retry-after.ts";
import { entryKey } from "./changes/former-pages.ts";
import type { PageTools } from "./context.ts";
import { declared } from "./device.ts";
import { type FetchedPage, fetchOnePage } from "./fetch/fetch-page.ts";
import { renderCharge } from "./page-charge.ts";
import { keepToOwnSite, type PageOrder } from "./page-request.ts";
import { readOnePage } from "./read-page.ts";
import { dataOf, fetchOptions } from "./scrape-page.ts";
import { inSession, isWalled } from "./sessions/in-session.ts";
import type { Visit } from "./sessions/sessions.store.ts";

/** A request of the crawler for one page. */
export interface PageOfCrawl {
  crawlId: string;
  keyId: string;
  owner: string;
  entryUrl: string;
  request: ScrapeRequest;
  /** Follows redirects, as a scrape does. */
  follow?: boolean;
  /** Redirects that are followed in a session: they may end at its login. */
  through?: string[] | undefined;
  /** Nothing leads to the page any more: a former crawl knew it. */
  hidden?: boolean;
  /** Addresses that differ by their query alone are one page. */
  ignoreQuery?: boolean;
  linkTexts?: boolean;
  /** The id of its charge to the quotas of the key. */
  charge?: string;
}

/**
 * Scrapes one page for a crawl, with its links. A redirect to another page is returned and not followed, unless the order
 * asks for that.
 */
export async function crawlPage(wanted: PageOfCrawl, tools: PageTools, quotas: Quotas): Promise<CrawledPage> {
  const asked = keepToOwnSite(wanted.request, wanted.entryUrl);
  // A crawl obeys robots.txt as Magpie; the pages of a batch are scrapes.
  const request = wanted.follow ? asked : declared(asked);
  const { keyId, charge } = wanted;
  return await withTimeout(request.timeout, [], async signal => {
    // All pages of a crawl use one proxy, so they can share a browser context.
    const proxy = { sticky_session: wanted.crawlId, ...request.proxy };
    const isSame = wanted.follow ? () => true : sameness(wanted);
    const followed = (url: string) => wanted.through?.includes(url) === true;
    const readThrough = (proxyUrl: string | undefined) => {
      const order = {
        ...orderFor(wanted, request, signal, proxyUrl),
        ...(charge !== undefined && { chargeRender: renderCharge(quotas, keyId, charge) }),
      };
      return read(request, order, tools, { isSame, followed });
    };
    return await tools.proxies.through(proxy, keyId, signal, readThrough).catch(error => {
      throw signal.aborted ? timeoutError(request.timeout, error) : error;
    });
  });
}

/** Rejects at once, with type `endedNode`, when the work causes an unhandled error, which ends this process. */
export async function rejectOnCrash<Result>(work: () => Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const blame = async (isNamed: boolean) => {
    if (isNamed) reject(Object.assign(new Error("The page ended its node."), { type: endedNode, code: 500 }));
  };
  return await Promise.race([underSuspicion({ blame }, work), promise]);
}

type CrawlOrder = PageOrder & { crawlId: string };

function orderFor(
  { crawlId, keyId, owner, linkTexts, follow, entryUrl, hidden }: PageOfCrawl,
  { timeout }: ScrapeRequest,
  signal: AbortSignal,
  proxyUrl: string | undefined,
): CrawlOrder {
  return {
    ...{ crawlId, linkTexts, keyId, owner, group: keyId, proxyUrl, deadline: Date.now() + timeout, signal },
    readAs: crawlId,
    // A page of a batch is its own entry.
    ...(!follow && { entry: entryKey(entryUrl) }),
    ...(hidden && { isHidden: true }),
  };
}

async function read(
  request: ScrapeRequest,
  order: CrawlOrder,
  tools: PageTools,
  { isSame, followed }: { isSame: ReturnType<typeof sameness>; followed(this: void, url: string): boolean },
): Promise<CrawledPage> {
  const visit = async (visiting: PageOrder) => {
    const { visit: own } = visiting;
    const same = (url: string, other: string) =>
      isSame(url, other) || (own !== undefined && (followed(other) || isLoginOf(own, other)));
    const fetched = await fetchOnePage(request.url, fetchOptions(request, visiting, tools), same);
    if ("redirect" in fetched) return fetched;
    return { fetched, page: await readOnePage(request, fetched, visiting, tools, same) };
  };
  const isLogin = (found: Awaited<ReturnType<typeof visit>>) =>
    "page" in found && !("redirect" in found.page) && isWalled(found.page);
  const visited = await inSession(request, order, tools, visit, isLogin);
  if ("redirect" in visited) return { kind: "redirect", url: visited.redirect };
  const { fetched, page } = visited;
  if ("redirect" in page) return { kind: "redirect", url: page.redirect };
  if (request.session && !isSame(page.finalUrl, request.url))
    return { kind: "redirect", url: page.finalUrl, wasRead: true };
  const { links = [], nofollow = false } = page.digest.crawl ?? {};
  return {
    kind: "page",
    data: await dataOf(request, page, order, tools),
    links,
    nofollow: nofollow || forbidsFollowing(fetched.headers["x-robots-tag"] ?? ""),
    retryAfterMs: retryAfterOf(fetched, page.status),
  };
}

/** Whether an address is the one that a session names as that of its login. */
function isLoginOf({ login }: Visit, url: string): boolean {
  const [named, other] = [URL.parse(login?.url ?? ""), URL.parse(url)];
  return named !== null && named.origin === other?.origin && named.pathname === other.pathname;
}

/** Which URLs are one page. */
function sameness({
  ignoreQuery: ignoresQuery = false,
}: PageOfCrawl): (url: string, other: string) => boolean {
  const keyOf = (url: string) => canonicalUrl(url, { ignoresQuery })?.key;
  return (url, other) => keyOf(url) === keyOf(other);
}

function retryAfterOf({ headers }: FetchedPage, status: number): number | null {
  if (status !== 429 && status !== 503) return null;
  return retryAfterMs(headers["retry-after"], Date.now()) ?? null;
}

function timeoutError(timeoutMs: number, cause: unknown): Error {
  return fail("scrape_timeout", `The page was not ready within ${timeoutMs} ms.`, {}, cause);
}
