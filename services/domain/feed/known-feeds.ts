import { parseHtml } from "../../../reader/html/parse-html.ts";
import { type ElementNode, isElement, walk } from "../../../reader/html/tree.ts";
import { decodeText } from "../../../reader/text/decode-text.ts";
import type { FeedItem } from "./feed.ts";
import { absoluteUrl } from "./feed-text.ts";

/** What turns the address of a page into that of its feed; undefined for a page that has none. */
type FeedRule = (page: URL, path: string[]) => string | undefined;

/**
 * Sites whose feeds stand at addresses that follow from those of their pages. Their pages either name no feed, or hide
 * it behind consent and log-in.
 */
const rules = new Map<string, FeedRule>([
  ["github.com", gitHubFeed],
  ["youtube.com", youTubeFeed],
  ["m.youtube.com", youTubeFeed],
  ["reddit.com", redditFeed],
  ["old.reddit.com", redditFeed],
  ["new.reddit.com", redditFeed],
]);

/**
 * The feed that belongs to a page, by the shape of the page's address alone: channels, users and playlists of YouTube;
 * releases, tags and commits of GitHub; subreddits, their searches' orders and users of Reddit. Undefined for any other.
 */
export function feedOfPage(url: string): string | undefined {
  const page = URL.parse(url);
  if (page?.port !== "") return undefined;
  const path = page.pathname.split("/").filter(part => part !== "");
  return rules.get(siteOf(page))?.(page, path);
}

/**
 * The feed that a page of such a site names somewhere in its text. A channel of YouTube that is addressed by its handle
 * or its own name has its id in its page only. Undefined for pages of other sites.
 */
export function feedInPage(url: string, html: string): string | undefined {
  const page = URL.parse(url);
  if (!page || !/^(?:m\.)?youtube\.com$/.test(siteOf(page))) return undefined;
  const id = channelIds.map(pattern => pattern.exec(html)?.[1]).find(Boolean);
  return id && videosOf("channel_id", id);
}

/** The page's own channel is named before those that it only mentions. */
const channelIds = [
  /feeds\/videos\.xml\?channel_id=(UC[\w-]{22})/,
  /<link rel="canonical" href="https:\/\/www\.youtube\.com\/channel\/(UC[\w-]{22})"/,
  /"externalId":"(UC[\w-]{22})"/,
  /itemprop="(?:identifier|channelId)" content="(UC[\w-]{22})"/,
];

function siteOf({ hostname }: URL): string {
  return hostname.replace(/^www\./, "");
}

/** `/owner/repo/releases`, `/tags`, `/commits`, `/commits/<branch>` and `/commits/<branch>/<path>`. */
function gitHubFeed({ origin }: URL, [owner, repo, what, ...rest]: string[]): string | undefined {
  if (owner === undefined || repo === undefined || what === undefined || rest.at(-1)?.endsWith(".atom"))
    return undefined;
  const isList = (what === "releases" || what === "tags") && rest.length === 0;
  return isList || what === "commits"
    ? `${origin}/${[owner, repo, what, ...rest].join("/")}.atom`
    : undefined;
}

function youTubeFeed({ searchParams }: URL, [kind, id = ""]: string[]): string | undefined {
  const list = searchParams.get("list") ?? "";
  if (kind === "playlist" && /^[\w-]{12,64}$/.test(list)) return videosOf("playlist_id", list);
  if (kind === "channel" && /^UC[\w-]{22}$/.test(id)) return videosOf("channel_id", id);
  return kind === "user" && /^[\w.-]{1,64}$/.test(id) ? videosOf("user", id) : undefined;
}

function videosOf(name: "channel_id" | "playlist_id" | "user", id: string): string {
  return `https://www.youtube.com/feeds/videos.xml?${name}=${id}`;
}

/** `/r/name`, `/r/name/new`, `/r/name+other/top?t=week`, `/user/name` and `/u/name` with its submitted posts or comments. */
function redditFeed({ search }: URL, [kind, name = "", order, ...rest]: string[]): string | undefined {
  if (rest.length > 0 || !/^[\w+-]{2,200}$/.test(name)) return undefined;
  const isSubreddit = kind === "r" && /^(?:new|hot|top|rising|controversial)?$/.test(order ?? "");
  const isUser = (kind === "user" || kind === "u") && /^(?:submitted|comments)?$/.test(order ?? "");
  if (!isSubreddit && !isUser) return undefined;
  const place = [isUser ? "user" : "r", name, ...(order ? [order] : [])].join("/");
  return `https://www.reddit.com/${place}/.rss${search}`;
}

/** What changes by itself in the text of an item, by the program that wrote the feed; the other lines count. */
const noises: { isOf: (item: FeedItem) => boolean; withoutNoise: (lines: string[]) => string[] }[] = [
  {
    // Discourse puts "5 posts - 3 participants" above the link to a topic, in the language of the forum.
    isOf: ({ id, url = "" }) => /-topic-\d+$/.test(id) && /\/t\//.test(url),
    withoutNoise: lines => {
      const at = lines.findLastIndex(line => discourseCounts.test(line));
      return at < 0 || at < lines.length - 3 ? lines : lines.toSpliced(at, 1);
    },
  },
  {
    // Google News lists the articles of others on the same story, more of them as the day goes on.
    isOf: ({ url = "" }) => /^https:\/\/news\.google\.com\/(?:rss\/)?(?:articles|read)\//.test(url),
    withoutNoise: () => [],
  },
];

const discourseCounts = /^\s*\d[\d.,]* \p{L}[\p{L} ]* [-–] \d[\d.,]* \p{L}[\p{L} ]*$/u;

/** The lines of an item's text that are its own, where the program that wrote the feed is known. */
export function linesThatCount(item: FeedItem, lines: string[]): string[] {
  return noises.find(({ isOf }) => isOf(item))?.withoutNoise(lines) ?? lines;
}

const feedType =
  /^\s*(application\/(rss|atom|rdf)\+xml|application\/feed\+json|application\/json|text\/xml|application\/xml)\s*(;|$)/i;
const maxLinks = 3;
/** Only the start of a page is searched: feeds are named in its head. */
const maxHeadBytes = 512 * 1024;

/** A page as it was fetched. */
export interface FetchedHtml {
  body: Uint8Array;
  contentType: string;
  url: string;
}

/** The feeds that a fetched page names. */
export function feedLinksIn({ body, contentType, url }: FetchedHtml): string[] {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1];
  return findFeedLinks(decodeText(body.subarray(0, maxHeadBytes), { charset }, "html"), url);
}

/** The feeds that a page names (rssboard.org/rss-autodiscovery), its own first, without feeds of comments. */
export function findFeedLinks(html: string, url: string): string[] {
  const found: ElementNode[] = [];
  let base = url;
  walk(parseHtml(html), node => {
    if (!isElement(node)) return true;
    if (node.name === "base" && base === url) base = absoluteUrl(node.getAttribute("href"), url) ?? url;
    if (node.name === "link" && isFeedLink(node)) found.push(node);
    return true;
  });
  const links = found.flatMap(link => absoluteUrl(link.getAttribute("href"), base) ?? []);
  return [...new Set(links)].slice(0, maxLinks);
}

function isFeedLink(link: ElementNode): boolean {
  const isAlternate = /(^|\s)alternate(\s|$)/i.test(link.getAttribute("rel"));
  const ofComments = /\bcomments?\b/i.test(`${link.getAttribute("title")} ${link.getAttribute("href")}`);
  return isAlternate && feedType.test(link.getAttribute("type")) && !ofComments;
}
