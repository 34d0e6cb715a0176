import type { Drive } from "./drive.ts";
import { sitemapPages } from "./sitemaps.ts";

/** Pages that are offered in one step. */
const slice = 500;

/** Lets the pages wait that the site's sitemaps name: those that its robots.txt tells of, else the usual one. */
export async function seedCrawl(drive: Drive): Promise<void> {
  const { room, crawl, fence, robots, get, beginning, rules } = drive;
  if (!crawl.entry || !rules) return;
  drive.isSeeded = true;
  const host = await robots.rulesFor(crawl.entry.url);
  const named = "rules" in host ? host.rules.sitemaps : [];
  const usual = new URL("/sitemap.xml", crawl.entry.url).href;
  const tools = { get, reader: room.sitemaps };
  for await (const urls of sitemapPages(named.length > 0 ? named : [usual], tools, beginning))
    for (let at = 0; at < urls.length; at += slice) {
      const pages = rules.listed(urls.slice(at, at + slice));
      if (pages.length > 0) await room.frontier.offer(crawl._id, fence, pages);
      drive.bell.ring();
    }
  await room.crawls.update(crawl._id, { $set: { sitemapsRead: true } });
}
