import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import type { ResolvedSource } from "../../contracts/connectors.contract.ts";
import { codeOf, fail, invalid } from "../../contracts/errors.ts";
import { decodeText } from "../../domain/text/decode-text.ts";
import { admitSid, namingSid } from "../admit-sid.ts";
import type { ConnectorTools } from "../connector.ts";
import { feedSource, resolveFeed } from "../rss/resolve-feed.ts";
import { findFeedLinks } from "./find-feed-links.ts";
import { packed } from "./page-state.ts";
import { readPage } from "./read-page.ts";

/** Where a page's feeds are looked for: they are named in its head. */
const maxHeadBytes = 512 * 1024;

/** Finds what a page is tracked by: the feed that it names or is, else its content, of which the first is kept. */
export async function resolvePage(sid: string, tools: ConnectorTools): Promise<ResolvedSource> {
  const url = admitSid(sid, tools);
  url.hash = "";
  const document = await fetchIfPossible(url.href, tools);
  const feed = document && (await findFeed(document, tools));
  return feed ?? (await baseline(document?.canonicalUrl ?? url.href, tools));
}

/** Some sites refuse a plain fetch and show themselves to a browser; the scraper tries both. */
async function fetchIfPossible(url: string, tools: ConnectorTools): Promise<FetchedDocument | undefined> {
  try {
    const document = await tools.fetchDocument(url);
    return document.status >= 200 && document.status < 300 ? document : undefined;
  } catch (error) {
    const code = codeOf(error);
    if (code !== "target_unreachable" && code !== "upstream_error" && code !== "tls_error")
      throw namingSid(error);
    return undefined;
  }
}

async function findFeed(
  document: FetchedDocument,
  tools: ConnectorTools,
): Promise<ResolvedSource | undefined> {
  const { body, contentType, url } = document;
  const digest = await tools.readFeed(document);
  if (digest.ok) return await feedSource({ document, digest }, tools);
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1];
  for (const link of findFeedLinks(decodeText(body.subarray(0, maxHeadBytes), { charset }, "html"), url)) {
    const feed = await resolveFeed(link, tools).catch(orNone);
    if (feed) return feed;
  }
  return undefined;
}

// A page that names a feed which is not there is tracked as a page.
function orNone(error: unknown): undefined {
  if (codeOf(error) === undefined) throw error;
}

/** What the scraper says of a scrape, as a fault of what is to be tracked. */
function ofTarget(error: unknown): unknown {
  const code = codeOf(error);
  const { message } = error as Error;
  if (code === "scrape_timeout")
    return fail("target_unreachable", "The site did not answer in time.", {}, error);
  if (code === "unsupported_media_type") return invalid("sid", code, message);
  return namingSid(error);
}

async function baseline(url: string, tools: ConnectorTools): Promise<ResolvedSource> {
  const { job } = await tools.visit(url).catch(error => {
    throw ofTarget(error);
  });
  const read = readPage(job);
  if (!read.ok && (read.status === 404 || read.status === 410))
    throw fail("not_found", "There is nothing at this URL.");
  if (!read.ok) throw fail("upstream_error", read.reason);
  const { host } = new URL(url);
  const name = read.title || host;
  const state = { ...packed(read.page), intervalMs: tools.minIntervalMs, name, changes: 0 };
  return { kind: "web", externalId: url, username: host, name, state };
}
