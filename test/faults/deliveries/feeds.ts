import { startSite } from "../../support/http-site.ts";

/** One item, known by its feed and its number within it; numbers begin with 0. */
export interface Item {
  feed: number;
  number: number;
}

/** Feeds on a server of this process. Every item stays in its feed. */
export interface Feeds {
  url(feed: number): string;
  /** Posts the next item of a feed. */
  post(feed: number): Item;
  counts: number[];
  close(): Promise<void>;
}

const firstMs = Date.UTC(2026, 0, 1);

/** Starts `count` feeds with three items each, which nobody who tracks them later may get. */
export async function startFeeds(count: number): Promise<Feeds> {
  const counts = new Array<number>(count).fill(3);
  const site = await startSite((request, response) => {
    const feed = Number(/^\/feed\/(\d+)$/.exec(request.url ?? "")?.[1]);
    const items = counts[feed];
    if (items === undefined) return response.writeHead(404).end();
    const etag = `"${items}"`;
    if (request.headers["if-none-match"] === etag) return response.writeHead(304, { etag }).end();
    return response.writeHead(200, { "content-type": "application/rss+xml", etag }).end(rss(feed, items));
  });
  return {
    url: feed => `${site.url}/feed/${feed}`,
    post: feed => {
      const number = counts[feed] ?? 0;
      counts[feed] = number + 1;
      return { feed, number };
    },
    counts,
    close: () => site.close(),
  };
}

export function itemId({ feed, number }: Item): string {
  return `item-${feed}-${number}`;
}

/** The item of an id that `itemId` made. */
export function itemOf(id: string): Item | undefined {
  const [, feed, number] = /^item-(\d+)-(\d+)$/.exec(id) ?? [];
  return feed === undefined ? undefined : { feed: Number(feed), number: Number(number) };
}

/** Newest first, as feeds are. */
function rss(feed: number, count: number): string {
  const items = Array.from({ length: count }, (_, at) => entry({ feed, number: count - 1 - at }));
  const channel = `<title>Feed ${feed}</title><link>http://feed.test/${feed}</link><description>One</description>`;
  return `<?xml version="1.0"?><rss version="2.0"><channel>${channel}${items.join("")}</channel></rss>`;
}

function entry(item: Item): string {
  const id = itemId(item);
  const date = new Date(firstMs + item.number * 1000).toUTCString();
  return `<item><guid isPermaLink="false">${id}</guid><title>${id}</title><description>Text of ${id}.</description><pubDate>${date}</pubDate></item>`;
}
