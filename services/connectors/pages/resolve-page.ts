import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import type { PollResult, ResolvedSource } from "../../contracts/connectors.contract.ts";
import { codeOf, fail, invalid } from "../../contracts/errors.ts";
import type { PolledPage } from "../../contracts/page-reads.contract.ts";
import type { View } from "../../contracts/watch.contract.ts";
import { checkApplicable } from "../../domain/watch/applicable-options.ts";
import { type Aim, admitSid, asSidError, type ConnectorTools } from "../connector.ts";
import { type FoundList, feedOfKnownPage, findFeed, listIn, toListSource } from "../feeds/resolve-feed.ts";
import { askingOnce } from "../tools.ts";
import { checkOf } from "./page-check.ts";
import { keptHash, pollPage, type ReadPage, readView, versionOf } from "./poll-page.ts";

/** How a page is tracked: by the feed or sitemap that it names or is, else by its content. */
type FoundAddress = { feed: FoundList } | { url: string };

/** Finds how to track a page; its present text is the baseline. */
export async function resolvePage(
  sid: string,
  tools: ConnectorTools,
  aim: Aim = {},
): Promise<ResolvedSource> {
  const once = askingOnce(tools);
  const { view = {} } = aim;
  const found = await findAddress(sid, once, aim);
  if ("feed" in found) return await toListSource(found.feed, tools);
  if (Object.keys(view).length > 0) return baselineOf(found.url, view, once);
  const startedAt = tools.now();
  const { page, url, polled } = await readContent(found.url, once);
  const { host } = new URL(url);
  const name = page.title || host;
  const first = { state: {}, snapshot: page.page, view, title: page.title, at: startedAt };
  const compared = await tools.compareSnapshot(url, first);
  if (!compared.ok) throw fail("upstream_error", compared.reason);
  const { kept, verdict } = compared;
  const state = {
    ...kept,
    ...keptHash(polled.page?.hash),
    intervalMs: tools.minIntervalMs,
    name,
    changes: 0,
  };
  const check = {
    ...checkOf(polled.job, page.page, verdict, tools.now() - startedAt),
    ...(polled.page && { version: versionOf(polled.page, verdict, compared.words) }),
  };
  return { kind: "web", externalId: url, username: host, name, state, check };
}

/** A page in a view; what it shows through it now is the baseline. */
async function baselineOf(url: string, view: View, tools: ConnectorTools): Promise<ResolvedSource> {
  const { host } = new URL(url);
  const polled = await pollPage({ externalId: url, state: {}, failures: 0, view }, tools);
  if (!polled.ok) throw unreadable(polled);
  const name = polled.source?.name ?? host;
  const { state, check } = polled;
  return { kind: "web", externalId: url, username: host, name, state, ...(check && { check }) };
}

function unreadable({ status, code, reason }: Extract<PollResult, { ok: false }>): Error {
  if (status === 404 || status === 410) return fail("not_found", "There is nothing at this URL.");
  const error = Object.assign(new Error(reason), { type: code, data: {} });
  const known = codeOf(error);
  if (known) return ofTarget(fail(known, reason)) as Error;
  // The page was read: it is the view that sees nothing of it. To try again would not help.
  return fail("element_not_found", reason);
}

/** The address under which a `sid` is tracked. */
export async function findAddress(sid: string, tools: ConnectorTools, aim: Aim): Promise<FoundAddress> {
  const url = admitSid(sid, tools);
  url.hash = "";
  // Without its session the address leads to a login, and GET asks for something else than POST.
  if (aim.view?.session || aim.view?.method === "POST") return { url: url.href };
  const notOfFeeds = checkApplicable("rss", aim.view ?? {});
  const isExtracted = aim.view?.extract !== undefined;
  const isPage = aim.asPage === true || notOfFeeds !== null;
  const known = isPage ? undefined : await feedOfKnownPage(url.href, tools);
  if (known) return { feed: known };
  const document = await fetchIfPossible(url.href, tools);
  const address = document?.canonicalUrl ?? url.href;
  if (document && notOfFeeds && !isExtracted && (await tools.readFeed(document)).ok)
    throw invalid(`options.${notOfFeeds.field}`, notOfFeeds.code, notOfFeeds.message);
  if (isPage) return { url: address };
  const feed = document && (await findFeedOf(document, tools));
  return feed ? { feed } : { url: address };
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
  for (const link of await tools.feedLinksIn(document)) {
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
export function ofTarget(error: unknown): unknown {
  const code = codeOf(error);
  const { message } = error as Error;
  if (code === "scrape_timeout")
    return fail("target_unreachable", "The site did not answer in time.", {}, error);
  if (code === "unsupported_media_type") return invalid("sid", code, message);
  return asSidError(error);
}

async function readContent(
  url: string,
  tools: ConnectorTools,
): Promise<{ page: Extract<ReadPage, { ok: true }>; url: string; polled: PolledPage }> {
  const polled = await tools.scrapePage(url, { views: [{ view: {} }] }).catch(error => {
    throw ofTarget(error);
  });
  return { page: accepted(readView(polled.job, polled.snapshots?.[0])), url, polled };
}

/** A page that was read; throws what tracking answers for any other. */
export function accepted(page: ReadPage): Extract<ReadPage, { ok: true }> {
  if (page.ok) return page;
  if (page.status === 404 || page.status === 410) throw fail("not_found", "There is nothing at this URL.");
  throw fail("upstream_error", page.reason);
}
