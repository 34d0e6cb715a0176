import type { Feed } from "./feed.ts";
import { absoluteUrl } from "./feed-text.ts";
import {
  addressOf,
  attributeOf,
  baseOf,
  childOf,
  childrenOf,
  firstValue,
  languageIn,
  languageOf,
  lineOf,
  textOf,
} from "./xml-element.ts";
import { alternateOf, hasId, writtenLink, xmlItem } from "./xml-item.ts";
import type { XmlElement, XmlTree } from "./xml-tree.ts";

const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/**
 * Maps RSS 0.9x, 1.0, 1.1 and 2.0 (rssboard.org/rss-specification), Atom 0.3 and 1.0 (RFC 4287) and CDF, with the usual
 * namespaces of feeds.
 */
export function xmlFeed({ root, items }: XmlTree, url: string): Feed {
  const head = childOf(root, "channel") ?? root;
  const base = baseOf(head, url);
  const links = childrenOf(head, "link", "atom:link");
  const language = languageIn(head, "language", "dc:language") ?? languageOf(head);
  const context = { url, language, authors: root.name === "feed" ? childrenOf(head, "author") : [] };
  return {
    title: lineOf(childOf(head, "title", "atom:title", "dc:title", "itunes:title")),
    homeUrl: homeOf(head, links, base),
    ...websubOf(links, base),
    ...nextPageOf(head, links, { base, url }),
    ...newUrlOf(newFeedUrl(root, head), base),
    ...longestTtl(numberIn(firstValue(head, "ttl")), updateMinutes(syndication(head))),
    ...skipped(head),
    ...(items.length > 0 && !items.some(hasId) && { guidless: true }),
    items: items.map(item => xmlItem(item, context)),
  };
}

function homeOf(head: XmlElement, links: XmlElement[], base: string): string | undefined {
  const written = links.map(link => writtenLink(link, base)).find(Boolean);
  return written ?? alternateOf(links, base) ?? absoluteUrl(attributeOf(head, "href"), base);
}

function websubOf(links: XmlElement[], base: string): Pick<Feed, "hubs" | "selfUrl"> {
  const byRel = (rel: string) =>
    links
      .filter(link => attributeOf(link, "rel") === rel)
      .flatMap(link => absoluteUrl(addressOf(link), base) ?? []);
  const [selfUrl] = byRel("self");
  return { hubs: byRel("hub"), ...(selfUrl !== undefined && { selfUrl }) };
}

/** The page that follows, or what WordPress would name so. */
function nextPageOf(
  head: XmlElement,
  links: XmlElement[],
  { base, url }: { base: string; url: string },
): Pick<Feed, "nextUrl"> {
  const byRel = (rel: string) => links.find(link => attributeOf(link, "rel")?.toLowerCase() === rel);
  const link = byRel("next") ?? byRel("prev-archive");
  const named = link && absoluteUrl(addressOf(link), base);
  const nextUrl = named ?? wordPressPage(firstValue(head, "generator") ?? "", url);
  return nextUrl === undefined ? {} : { nextUrl };
}

function wordPressPage(generator: string, url: string): string | undefined {
  const page = /\bwordpress\b/i.test(generator) ? URL.parse(url) : null;
  if (page === null) return undefined;
  page.searchParams.set("paged", String(Number(page.searchParams.get("paged") ?? 1) + 1));
  return page.href;
}

function syndication(head: XmlElement): Parameters<typeof updateMinutes>[0] {
  return {
    updatePeriod: firstValue(head, "sy:updateperiod"),
    updateFrequency: numberIn(firstValue(head, "sy:updatefrequency")),
  };
}

function skipped(head: XmlElement): Pick<Feed, "skipHours" | "skipDays"> {
  const hours = childrenOf(childOf(head, "skiphours"), "hour").flatMap(hour => numberIn(textOf(hour)) ?? []);
  const names = childrenOf(childOf(head, "skipdays"), "day").map(day => textOf(day)?.toLowerCase() ?? "");
  return {
    // Hour 24 is midnight in feeds that count from 1.
    skipHours: hours.filter(Number.isInteger).map(hour => hour % 24),
    skipDays: names.map(day => days.indexOf(day)).filter(day => day >= 0),
  };
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

const periodMinutes = { hourly: 60, daily: 1440, weekly: 10_080, monthly: 43_200, yearly: 525_600 };

/**
 * Minutes between updates by the syndication module (web.resource.org/rss/1.0/modules/syndication): a frequency per
 * period, by default once and `daily`. Undefined when the feed has neither, or an unknown period.
 */
function updateMinutes({
  updatePeriod,
  updateFrequency,
}: {
  updatePeriod?: string | undefined;
  updateFrequency?: number | undefined;
} = {}): number | undefined {
  if (updatePeriod === undefined && updateFrequency === undefined) return undefined;
  const period = (updatePeriod ?? "daily").trim().toLowerCase();
  if (!Object.hasOwn(periodMinutes, period)) return undefined;
  const times = Math.max(updateFrequency ?? 1, 1);
  return periodMinutes[period as keyof typeof periodMinutes] / times;
}

/** The longest interval that a feed asks for, as `ttlMinutes`; empty when it asks for none. */
function longestTtl(...minutes: (number | undefined)[]): { ttlMinutes?: number } {
  const ttlMinutes = Math.max(0, ...minutes.filter(each => each !== undefined));
  return ttlMinutes > 0 ? { ttlMinutes } : {};
}

/** Where the feed has moved to, by iTunes, or by UserLand's document in place of a feed. */
function newFeedUrl(root: XmlElement, head: XmlElement): string | undefined {
  return firstValue(head, "itunes:new-feed-url") ?? firstValue(childOf(root, "redirect"), "newlocation");
}

/** The new address that a feed names, without a fragment. */
function newUrlOf(named: string | undefined, base: string): Pick<Feed, "newUrl"> {
  const newUrl = absoluteUrl(named, base)?.replace(/#.*$/, "");
  return newUrl === undefined ? {} : { newUrl };
}
