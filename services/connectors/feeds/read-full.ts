import type { ItemNews } from "../../domain/feed/compare-feed.ts";
import { type FeedItem, type FoundPage, ofFeed } from "../../domain/feed/feed.ts";
import type { ConnectorTools, PolledSource } from "../connector.ts";

/** Items of one poll whose pages are read; the next poll, which follows soon, has the rest. */
export const mostFull = 6;
/** Pages that are read at a time, as many as a host is asked for at once. */
const lanes = 2;
/** How often a page is asked for, and the milliseconds that a poll must have left for it. */
const [tries, pageMs] = [2, 8000];
const [longestProblem, spacingMs] = [300, 1000];

/** The news with the content of their items' pages, each of which is read once. An item goes out whatever becomes of its page. */
export async function withFullContent(
  { externalId }: PolledSource,
  news: ItemNews[],
  tools: ConnectorTools,
): Promise<ItemNews[]> {
  const pages: FoundPage["page"][] = [];
  const waiting = [...news.keys()];
  const readOn = async () => {
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift())
      pages[at] = await pageOf((news[at] as ItemNews).item, tools);
  };
  await Promise.all(Array.from({ length: lanes }, readOn));
  const found = news.map(({ item }, at) => ({ item, page: pages[at] ?? { problem: noTime } }));
  const items = await tools.fullItems?.(externalId, found).catch(() => undefined);
  return news.map((each, at) => ({ ...each, item: items?.[at] ?? ofFeed(each.item, unread) }));
}

const unread = "The page could not be read.";
const noTime = "There was no time left to read the page.";

async function pageOf({ url, external_url }: FeedItem, tools: ConnectorTools): Promise<FoundPage["page"]> {
  const address = url ?? external_url;
  if (address === undefined) return { problem: "The item has no link." };
  let problem = noTime;
  for (let left = tries; left > 0 && tools.timeLeftMs() > pageMs; left -= 1) {
    try {
      // Another try is another question to a host, which it is asked a little later.
      const spacing = left < tries && { spacingMs };
      const { job } = await tools.scrapePage(address, { withHtml: true, ...spacing });
      const { status_code: status, final_url } = job.data.metadata;
      if (status >= 200 && status < 300) return { html: job.data.html ?? "", url: final_url || address };
      problem = `The page answered with status ${status}.`;
      if (status < 500) break;
    } catch (error) {
      problem = (error as Error).message.slice(0, longestProblem);
    }
  }
  return { problem };
}
