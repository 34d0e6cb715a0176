import { startSite } from "../../support/http-site.ts";

/** One item, known by its feed and its number within it; numbers begin with 0. */
export interface Item {
  feed: number;
  number: number;
}

/** Feeds on a server of this process. Every item stays in its feed. */
export interface Feeds {
  url(feed: number): string;
  /** A feed whose one item is another one at each look: nothing but `rss.item.updated` comes of it. */
  editedUrl: string;
  /** Posts the next item of a feed. */
  post(feed: number): Item;
  counts: number[];
  close(): Promise<void>;
}

const firstMs = Date.UTC(2026, 0, 1);

/** Starts `count` feeds with three items each, which nobody who tracks them later may get. */
export async function startFeeds(count: number): Promise<Feeds> {
  const counts = new Array<number>(count).fill(3);
  let edits = 0;
  const site = await startSite((request, response) => {
    if (request.url === "/edited") {
      edits += 1;
      return response.writeHead(200, { "content-type": "application/rss+xml" }).end(edited(edits));
    }
    const feed = Number(/^\/feed\/(\d+)$/.exec(request.url ?? "")?.[1]);
    const items = counts[feed];
    if (items === undefined) return response.writeHead(404).end();
    const etag = `"${items}"`;
    if (request.headers["if-none-match"] === etag) return response.writeHead(304, { etag }).end();
    return response.writeHead(200, { "content-type": "application/rss+xml", etag }).end(rss(feed, items));
  });
  return {
    url: feed => `${site.url}/feed/${feed}`,
    editedUrl: `${site.url}/edited`,
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
  return documentOf(`Feed ${feed}`, items.join(""));
}

function edited(edit: number): string {
  const item = `<guid isPermaLink="false">edited</guid><title>Edited</title><description>It was edited ${edit} times, the last time as no. ${edit}.</description>`;
  return documentOf("Edited", `<item>${item}</item>`);
}

function documentOf(title: string, items: string): string {
  const channel = `<title>${title}</title><link>http://feed.test/</link><description>One</description>`;
  return `<?xml version="1.0"?><rss version="2.0"><channel>${channel}${items}</channel></rss>`;
}

function entry(item: Item): string {
  const id = itemId(item);
  const date = new Date(firstMs + item.number * 1000).toUTCString();
  return `<item><guid isPermaLink="false">${id}</guid><title>${id}</title><description>Text of ${id}.</description><pubDate>${date}</pubDate></item>`;
}
