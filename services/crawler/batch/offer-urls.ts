import type { Candidate } from "../../../mixins/frontier/frontier.ts";
import type { CrawlerContext } from "../context.ts";
import type { StoredCrawl } from "../crawls.store.ts";

/** Pages that are added in one step. */
const slice = 500;

/**
 * Adds the URLs of a batch to the frontier, which then has them all; does nothing for other crawls. The list is removed
 * from the record last, so an interrupted step is repeated.
 */
export async function offerUrls(
  { frontier, crawls }: Pick<CrawlerContext, "frontier" | "crawls">,
  { _id, urls }: StoredCrawl,
  fence: number,
): Promise<void> {
  if (!urls) return;
  const pages = alternatingHosts(urls).map(candidateOf);
  for (let at = 0; at < pages.length; at += slice)
    await frontier.offer(_id, fence, pages.slice(at, at + slice));
  await crawls.update(_id, { $unset: { urls: true } });
}

/**
 * URLs are one page only when they are spelled alike for a URL parser: unlike a crawl, which finds many spellings of one
 * page, a batch reads what its list says.
 */
export function batchKey(url: string): string {
  return URL.parse(url)?.href ?? url;
}

function candidateOf(url: string): Candidate {
  return { key: batchKey(url), url, depth: 0, hops: 0, from: null, external: false };
}

/** The first URL of each host, then the second of each: pages of a slow host do not hold up all others. */
function alternatingHosts(urls: string[]): string[] {
  const seen = new Map<string, number>();
  const placed = urls.map(url => {
    const host = URL.parse(url)?.host ?? "";
    const rank = seen.get(host) ?? 0;
    seen.set(host, rank + 1);
    return { url, rank };
  });
  return placed.sort((one, other) => one.rank - other.rank).map(({ url }) => url);
}
