import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import type { ResolvedSource } from "../../contracts/connectors.contract.ts";
import { codeOf, fail, invalid } from "../../contracts/errors.ts";
import { firstBytes } from "../../domain/page-diff/compare-page.ts";
import { admitSid, asSidError, type ConnectorTools, type Previewed } from "../connector.ts";
import {
  type FoundList,
  feedLinksIn,
  feedOfKnownPage,
  findFeed,
  listIn,
  toListPreview,
  toListSource,
} from "../feeds/resolve-feed.ts";
import { packText } from "./page-state.ts";
import { type ReadPage, readPage } from "./poll-page.ts";

/** How a page is tracked: by the feed or sitemap that it names or is, else by its content. */
type FoundPage = { feed: FoundList } | { page: Extract<ReadPage, { ok: true }>; url: string };

/** Finds how to track a page; its present text is the baseline. */
export async function resolvePage(sid: string, tools: ConnectorTools): Promise<ResolvedSource> {
  const found = await findPage(sid, tools);
  if ("feed" in found) return await toListSource(found.feed, tools);
  const { page, url } = found;
  const { host } = new URL(url);
  const name = page.title || host;
  const state = { ...packText(page.page), intervalMs: tools.minIntervalMs, name, changes: 0 };
  return { kind: "web", externalId: url, username: host, name, state };
}

/** The most bytes of a text that is shown. */
const maxShown = 20 * 1024;

/** The same, as what is compared. */
export async function previewPage(sid: string, tools: ConnectorTools): Promise<Previewed> {
  const found = await findPage(sid, tools);
  if ("feed" in found) return await toListPreview(found.feed, tools);
  const { page, url } = found;
  const text = firstBytes(page.markdown, maxShown);
  const notice = text.length < page.markdown.length && { notice: "The text is cut at 20 KB." };
  return { source: "WEB", name: page.title || new URL(url).host, url, text, items: null, ...notice };
}

async function findPage(sid: string, tools: ConnectorTools): Promise<FoundPage> {
  const url = admitSid(sid, tools);
  url.hash = "";
  const known = await feedOfKnownPage(url.href, tools);
  if (known) return { feed: known };
  const document = await fetchIfPossible(url.href, tools);
  const feed = document && (await findFeedOf(document, tools));
  return feed ? { feed } : await readContent(document?.canonicalUrl ?? url.href, tools);
}

/** Undefined where a plain fetch fails: some sites answer browsers only, and the scraper tries both. */
async function fetchIfPossible(url: string, tools: ConnectorTools): Promise<FetchedDocument | undefined> {
  try {
    const document = await tools.fetchDocument(url);
    return document.status >= 200 && document.status < 300 ? document : undefined;
  } catch (error) {
    const code = codeOf(error);
    if (code !== "target_unreachable" && code !== "upstream_error" && code !== "tls_error")
      throw asSidError(error);
    return undefined;
  }
}

async function findFeedOf(document: FetchedDocument, tools: ConnectorTools): Promise<FoundList | undefined> {
  const found = await listIn(document, tools);
  if (!("reason" in found)) return found;
  for (const link of feedLinksIn(document)) {
    const feed = await findFeed(link, tools).catch(orNone);
    if (feed) return feed;
  }
  return undefined;
}

// A page that names a missing feed is tracked as a page.
function orNone(error: unknown): undefined {
  if (codeOf(error) === undefined) throw error;
}

/** An error of the scrape, in terms of the `sid` that is to be tracked. */
function ofTarget(error: unknown): unknown {
  const code = codeOf(error);
  const { message } = error as Error;
  if (code === "scrape_timeout")
    return fail("target_unreachable", "The site did not answer in time.", {}, error);
  if (code === "unsupported_media_type") return invalid("sid", code, message);
  return asSidError(error);
}

async function readContent(url: string, tools: ConnectorTools): Promise<FoundPage> {
  const { job } = await tools.scrapePage(url).catch(error => {
    throw ofTarget(error);
  });
  const page = readPage(job);
  if (page.ok) return { page, url };
  if (page.status === 404 || page.status === 410) throw fail("not_found", "There is nothing at this URL.");
  throw fail("upstream_error", page.reason);
}
