import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import type { ResolvedSource } from "../../contracts/connectors.contract.ts";
import { codeOf, fail, invalid } from "../../contracts/errors.ts";
import { looksLikeSitemap } from "../../domain/feed/digest-sitemap.ts";
import { feedInPage, feedOfPage } from "../../domain/feed/known-feeds.ts";
import { admitSid, asSidError, type ConnectorTools, type Previewed } from "../connector.ts";
import { findHub } from "../websub/subscribe.ts";
import { paceAfter } from "./feed-pace.ts";
import { bodyHash, validators } from "./feed-state.ts";
import { type FoundFeed, followMove } from "./found-feed.ts";
import { sitemapBytes } from "./poll-sitemap.ts";
import { type FoundSitemap, sitemapIn, toSitemapPreview, toSitemapSource } from "./resolve-sitemap.ts";

/** Finds the feed at a URL. 400 when there is no feed, 404 when there is nothing, 502 when it cannot be reached. */
export async function resolveFeed(sid: string, tools: ConnectorTools): Promise<ResolvedSource> {
  return await toListSource(await findFeed(sid, tools), tools);
}

/** The same, as what it holds now. */
export async function previewFeed(sid: string, tools: ConnectorTools): Promise<Previewed> {
  return await toListPreview(await findFeed(sid, tools), tools);
}

/** A list of items: a feed, or a sitemap. */
export type FoundList = FoundFeed | FoundSitemap;

/** The feed or sitemap at a URL, at the address that it names as its new one, or that belongs to a known site's page. */
export async function findFeed(sid: string, tools: ConnectorTools): Promise<FoundList> {
  const url = admitSid(sid, tools).href;
  const known = await feedOfKnownPage(url, tools);
  if (known) return known;
  const document = await fetchSid(url, tools);
  const found = await listIn(document, tools);
  if ("reason" in found) throw notAFeed(await tools.feedLinksIn(document), found.reason);
  return found;
}

/** The feed of a page whose site has its feeds at known addresses; undefined where there is none after all. */
export async function feedOfKnownPage(url: string, tools: ConnectorTools): Promise<FoundList | undefined> {
  const feed = feedOfPage(url);
  if (feed === undefined) return undefined;
  return await findFeed(feed, tools).catch(error => {
    const code = codeOf(error);
    if (code !== "not_found" && code !== "validation_failed") throw error;
    return undefined;
  });
}

/** The list that a document is, or that a page of a known site names; else why it is none. */
export async function listIn(
  document: FetchedDocument,
  tools: ConnectorTools,
): Promise<FoundList | { reason: string }> {
  if (looksLikeSitemap(document.body, document.contentType)) return await sitemapIn(document, tools);
  const digest = await tools.readFeed(document);
  if (digest.ok) return await followMove({ document, digest }, tools);
  const named = feedInPage(document.url, new TextDecoder().decode(document.body));
  return named === undefined ? digest : await findFeed(named, tools);
}

export async function toListSource(found: FoundList, tools: ConnectorTools): Promise<ResolvedSource> {
  return "sitemap" in found ? await toSitemapSource(found, tools) : await toFeedSource(found, tools);
}

export async function toListPreview(found: FoundList, tools: ConnectorTools): Promise<Previewed> {
  return "sitemap" in found ? await toSitemapPreview(found, tools) : toFeedPreview(found);
}

function toFeedPreview({ document: { canonicalUrl: url }, digest }: FoundFeed): Previewed {
  return { source: "RSS", name: nameOf(digest.feed, url), url, text: null, items: digest.headlines ?? [] };
}

function nameOf({ title }: { title?: string }, url: string): string {
  return (title ?? new URL(url).host).slice(0, 300);
}

/** A caller who sends a page probably copied its address from a browser; the error names its feed, or the other way. */
function notAFeed([feed]: string[], reason: string): Error {
  const hint =
    feed === undefined
      ? " POST /track/web watches a page that has no feed."
      : ` The page names this feed: ${feed}`;
  return invalid("sid", "not_a_feed", `${reason}${hint}`);
}

/** The document at a URL that a caller sent. */
async function fetchSid(url: string, tools: ConnectorTools): Promise<FetchedDocument> {
  const most = /sitemap|\.gz$/i.test(url) ? sitemapBytes : undefined;
  const document = await tools.fetchDocument(url, {}, most).catch(error => {
    throw asSidError(error);
  });
  const { status } = document;
  if (status === 404 || status === 410) throw fail("not_found", "There is nothing at this URL.");
  if (status < 200 || status > 299) throw fail("upstream_error", `The site answered with status ${status}.`);
  return document;
}

/** A feed as a source. Its present items are its past, and are not delivered. */
async function toFeedSource(
  { document, digest, isLeaving }: FoundFeed,
  tools: ConnectorTools,
): Promise<ResolvedSource> {
  const { feed, memory, baseline } = digest;
  const items = baseline.length === 0 ? [] : await tools.itemVersions(document.canonicalUrl, baseline);
  const { host } = new URL(document.canonicalUrl);
  const name = nameOf(feed, document.canonicalUrl);
  const { ttlMinutes, skipHours, skipDays } = feed;
  const hub = findHub(document, feed);
  return {
    kind: "rss",
    externalId: document.canonicalUrl,
    username: host,
    name,
    check: {
      outcome: "same",
      reason: "This is the first check: items count from here on.",
      tookMs: 0,
      status: document.status,
      engine: "http",
      items,
    },
    state: {
      memory,
      ...paceAfter({}, tools, undefined, digest),
      intervalMs: tools.minIntervalMs,
      readAt: tools.now(),
      name,
      ...(!isLeaving && { ...validators(document), bodyHash: bodyHash(document) }),
      ...(hub && { hub }),
      asked: { ...(ttlMinutes !== undefined && { ttlMinutes }), skipHours, skipDays },
    },
  };
}
