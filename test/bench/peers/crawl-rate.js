import { Configuration, log } from "@crawlee/core";

log.setLevel(log.LEVELS.WARNING);

/**
 * Runs a crawler over a whole site of so many pages; answers how many it read per second. What it keeps stays in memory,
 * which is its faster way, and its concurrency is what it is told from the start. `maxRequestsPerCrawl` is left out: with
 * it, links that are added as the budget runs out may hang until the handler's time is over.
 */
export async function crawlRate({ url, pages, concurrency }, Crawler, options) {
  const kept = [];
  const keep = page => kept.push(page);
  const crawler = new Crawler(
    {
      ...options(keep),
      minConcurrency: concurrency,
      maxConcurrency: concurrency,
    },
    new Configuration({ persistStorage: false }),
  );
  const started = performance.now();
  await crawler.run([url]);
  const seconds = (performance.now() - started) / 1000;
  const empty = kept.filter(({ markdown }) => markdown.length < 1000).length;
  if (kept.length !== pages || empty > 0)
    throw new Error(`${kept.length} pages of ${pages}, ${empty} of them empty`);
  return kept.length / seconds;
}
