import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import type { ResolvedSource } from "../../contracts/connectors.contract.ts";
import { codeOf, invalid } from "../../contracts/errors.ts";
import type { Listed } from "../../domain/crawl/read-sitemap.ts";
import type { SitemapDigest } from "../../domain/feed/digest-sitemap.ts";
import type { ConnectorTools, Previewed } from "../connector.ts";
import { marksAfter } from "./feed-state.ts";
import { pollSitemap, sitemapBytes } from "./poll-sitemap.ts";
import { firstParts, maxParts, type SitemapState, tooManyParts } from "./sitemap-parts.ts";

/** A sitemap and where it was found. */
export interface FoundSitemap {
  document: FetchedDocument;
  sitemap: Extract<SitemapDigest, { ok: true }>;
}

const nothing = { own: "", others: "", gone: "" };

/** The sitemap that a document is; else why it is none. Throws 400 for one that is too large to be tracked. */
export async function sitemapIn(
  document: FetchedDocument,
  tools: ConnectorTools,
): Promise<FoundSitemap | { reason: string }> {
  const sitemap = await tools.readSitemap(document, { memory: nothing, isFirst: true });
  if (!sitemap.ok) return sitemap;
  if (sitemap.is === "index" && sitemap.sitemaps.length > maxParts)
    throw invalid("sid", "sitemap_too_large", tooManyParts);
  return { document, sitemap };
}

/** Milliseconds that stay for the rest of a look-up: its caller waits. */
const restMs = 15_000;

/**
 * A sitemap as a source. The pages of today are its past. Those of an index are read as far as the time allows, the
 * newest sitemaps first; the first polls read the others.
 */
export async function toSitemapSource(found: FoundSitemap, tools: ConnectorTools): Promise<ResolvedSource> {
  const source = unreadSource(found, tools);
  if (found.sitemap.is === "pages") return source;
  const timeLeftMs = () => tools.timeLeftMs() - restMs;
  const { externalId, state } = source;
  const read = await pollSitemap({ externalId, state, failures: 0 }, { ...tools, timeLeftMs });
  return { ...source, state: read.state };
}

function unreadSource(
  { document, sitemap }: FoundSitemap,
  { minIntervalMs, now }: Pick<ConnectorTools, "minIntervalMs" | "now">,
): ResolvedSource {
  const url = document.canonicalUrl;
  const { host } = new URL(url);
  const listed: Pick<SitemapState, "sitemap" | "parts" | "left"> =
    sitemap.is === "pages"
      ? { sitemap: "pages", parts: [{ url, pages: sitemap.own }], left: [] }
      : {
          sitemap: "index",
          parts: firstParts(sitemap.sitemaps),
          left: newestFirst(sitemap.sitemaps).map(part => part.url),
        };
  const state = { ...listed, gone: "", intervalMs: minIntervalMs, name: nameOf(host) };
  return {
    kind: "rss",
    externalId: url,
    username: host,
    name: nameOf(host),
    state: { ...state, ...marksAfter(document, {}, now()) },
  };
}

/** Sorts by the dates of the index; sitemaps without one are listed in the order of their making. */
function newestFirst(sitemaps: Listed[]): Listed[] {
  return sitemaps.toReversed().sort((a, b) => (b.lastmod ?? "").localeCompare(a.lastmod ?? ""));
}

function nameOf(host: string): string {
  return `Sitemap of ${host}`;
}

/** The newest pages; of an index, those of the sitemap that changed last. */
export async function toSitemapPreview(
  { document: { canonicalUrl: url }, sitemap }: FoundSitemap,
  tools: ConnectorTools,
): Promise<Previewed> {
  const items = sitemap.is === "pages" ? sitemap.headlines : await newestOf(sitemap.sitemaps, tools);
  return { source: "RSS", name: nameOf(new URL(url).host), url, text: null, items: items ?? [] };
}

async function newestOf(
  sitemaps: Listed[],
  tools: ConnectorTools,
  isBelow = false,
): Promise<Previewed["items"]> {
  const [newest] = newestFirst(sitemaps);
  if (!newest) return [];
  try {
    const document = await tools.fetchDocument(newest.url, {}, sitemapBytes);
    const digest = await tools.readSitemap(document, { memory: nothing, isFirst: true });
    if (!digest.ok) return [];
    if (digest.is === "pages") return digest.headlines ?? [];
    return isBelow ? [] : await newestOf(digest.sitemaps, tools, true);
  } catch (error) {
    // The index can be tracked all the same.
    if (codeOf(error) === undefined) throw error;
    return [];
  }
}
