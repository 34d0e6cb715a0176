import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import type { PollResult } from "../../contracts/connectors.contract.ts";
import type { Listed } from "../../domain/crawl/read-sitemap.ts";
import type { ItemNews } from "../../domain/feed/compare-feed.ts";
import {
  type ConnectorTools,
  failedByError,
  failedByStatus,
  failedPoll,
  type PolledSource,
} from "../connector.ts";
import { feedWait, jittered, nextInterval } from "../poll-interval.ts";
import { bodyHash, type DailyMarks, dailyHeaders, marksAfter } from "./feed-state.ts";
import { movedTo, postsOf } from "./poll-feed.ts";
import {
  changedParts,
  dueParts,
  maxParts,
  memoryOf,
  partsBelow,
  type SitemapPart,
  type SitemapState,
  tooManyParts,
} from "./sitemap-parts.ts";

/** The limit of sitemaps.org. */
export const sitemapBytes = 50 * 1024 * 1024;

/** Sitemaps of an index that one poll reads, and news after which it reads no more; the next poll continues. */
const maxRead = 100;
const enoughNews = 1000;
/** Milliseconds that a sitemap may take to be fetched and read. */
const partMs = 15_000;

/**
 * Polls a sitemap once: pages that it lists for the first time are news. Of an index, reads the sitemaps that may have
 * changed, as many as fit into one poll; the next polls read the others before they read the index again.
 */
export async function pollSitemap(source: PolledSource, tools: ConnectorTools): Promise<PollResult> {
  const state = source.state as unknown as SitemapState;
  try {
    if (state.left.length > 0) return await readParts(source, { state }, tools);
    const root = await tools.fetchDocument(source.externalId, dailyHeaders(state, tools.now()), sitemapBytes);
    const { status, headers } = root;
    if (status !== 304 && (status < 200 || status > 299))
      return failedByStatus(source, tools, status, headers);
    const isSame = status === 304 || bodyHash(root) === state.bodyHash;
    return isSame ? await pollUnchanged(source, root, tools) : await pollChanged(source, root, tools);
  } catch (error) {
    return failedByError(source, tools, error);
  }
}

/** What a poll has found so far. */
interface Round {
  state: SitemapState;
  news?: ItemNews[];
  /** The document at the source's address, if this poll has read it. */
  root?: FetchedDocument;
}

async function pollUnchanged(
  source: PolledSource,
  root: FetchedDocument,
  tools: ConnectorTools,
): Promise<PollResult> {
  const before = source.state as unknown as SitemapState;
  const state = { ...before, ...marksAfter(root, before, tools.now()) };
  if (state.sitemap === "pages") return await finished(source, { state, root }, tools);
  return await readParts(
    source,
    { state: { ...state, left: dueParts(state.parts, tools.now()) }, root },
    tools,
  );
}

async function pollChanged(
  source: PolledSource,
  root: FetchedDocument,
  tools: ConnectorTools,
): Promise<PollResult> {
  const state = source.state as unknown as SitemapState;
  const url = source.externalId;
  const digest = await tools.readSitemap(root, { memory: memoryOf(state, url), isFirst: false });
  if (!digest.ok) return failedPoll(source, tools, digest.reason);
  const { etag: _, lastModified: __, bodyHash: ___, ...kept } = state;
  if (digest.is === "pages") {
    const part = { url, pages: digest.own };
    const marks = digest.complete ? marksAfter(root, state, tools.now()) : {};
    const next = { ...kept, ...marks, sitemap: "pages" as const, parts: [part], gone: digest.gone };
    return await finished(source, { state: next, news: digest.news, root }, tools, !digest.complete);
  }
  if (digest.sitemaps.length > maxParts) return failedPoll(source, tools, tooManyParts);
  const parts = changedParts(state, digest.sitemaps);
  const left = dueParts(parts.parts, tools.now());
  const next = {
    ...kept,
    ...marksAfter(root, state, tools.now()),
    ...parts,
    sitemap: "index" as const,
    left,
  };
  return await readParts(source, { state: next, root }, tools);
}

/**
 * Reads sitemaps of the index. Those that cannot be read are tried again in the next round; if none can, the poll reports
 * that, and a limit too.
 */
async function readParts(source: PolledSource, round: Round, tools: ConnectorTools): Promise<PollResult> {
  let { state } = round;
  const news: ItemNews[] = [];
  let failure: PollResult | undefined;
  let limit: PollResult | undefined;
  let [good, tried] = [0, 0];
  const hasTime = () => tried === 0 || (tried < maxRead && tools.timeLeftMs() > partMs);
  while (state.left.length > 0 && news.length < enoughNews && hasTime()) {
    const [url = "", ...left] = state.left;
    tried++;
    const read = await readPart({ ...source, state: { ...state } }, url, tools).catch(error => {
      // This service is busy; what was read until now is kept.
      if (good === 0) throw error;
    });
    if (read === undefined) break;
    if ("limit" in read) limit ??= read.limit;
    else if (!("part" in read)) failure ??= read;
    else {
      good++;
      news.push(...read.news);
      state = withPart(state, read);
    }
    const next = "part" in read ? [...(read.isComplete ? [] : [url]), ...left, ...(read.below ?? [])] : left;
    state = { ...state, left: [...new Set(next)] };
  }
  if (failure && good === 0) return { ...failure, state: { ...state } };
  if (limit && news.length === 0) return { ...limit, state: { ...state } };
  return await finished(source, { ...round, state, news }, tools, state.left.length > 0);
}

interface ReadPart {
  part: SitemapPart;
  gone: string;
  news: ItemNews[];
  isComplete: boolean;
  /** All parts, where those below this one are others now. */
  parts?: SitemapPart[];
  /** Addresses of those below that are to be read. */
  below?: string[];
}

/** The part is beyond a limit, which the poll reports even where it reads other parts. */
interface Beyond {
  limit: PollResult;
}

async function readPart(
  source: PolledSource,
  url: string,
  tools: ConnectorTools,
): Promise<ReadPart | Beyond | PollResult> {
  const state = source.state as unknown as SitemapState;
  const before = state.parts.find(part => part.url === url);
  if (!before) return { part: { url, pages: "" }, gone: state.gone, news: [], isComplete: true };
  try {
    const document = await tools.fetchDocument(url, dailyHeaders(before, tools.now()), sitemapBytes);
    const { status, headers } = document;
    if (status !== 304 && (status < 200 || status > 299))
      return failedByStatus(source, tools, status === 410 ? 404 : status, headers);
    if (status === 304 || bodyHash(document) === before.bodyHash)
      return {
        part: readNow(before, marksAfter(document, before, tools.now()), tools),
        gone: state.gone,
        news: [],
        isComplete: true,
      };
    const isFirst = before.isOld === true;
    const digest = await tools.readSitemap(document, { memory: memoryOf(state, url), isFirst });
    if (!digest.ok) return failedPoll(source, tools, `${digest.reason} It is ${url}.`);
    if (digest.is === "index")
      return readIndex(source, before, { document, sitemaps: digest.sitemaps }, tools);
    const { etag: _, lastModified: __, bodyHash: ___, isOld: ____, ...kept } = before;
    const { own: pages, news, complete: isComplete } = digest;
    const part = isComplete
      ? readNow({ ...kept, pages }, marksAfter(document, before, tools.now()), tools)
      : { ...kept, pages };
    const { parts, gone } = partsBelow({ parts: state.parts, gone: digest.gone }, before, []);
    return { part, gone, news, isComplete, parts };
  } catch (error) {
    return failedByError(source, tools, error);
  }
}

/** Reads an index within the index: its sitemaps become parts, too. A third level is an error of the source. */
function readIndex(
  source: PolledSource,
  before: SitemapPart,
  { document, sitemaps }: { document: FetchedDocument; sitemaps: Listed[] },
  tools: ConnectorTools,
): ReadPart | Beyond {
  const state = source.state as unknown as SitemapState;
  const { url } = before;
  if (before.under !== undefined)
    return {
      limit: failedPoll(
        source,
        tools,
        `The third index in one another is not read, ${url}. Track that one too.`,
      ),
    };
  const listed = sitemaps.filter(each => each.url !== source.externalId);
  const lost = { parts: state.parts, gone: state.gone + before.pages };
  const { parts, gone } = partsBelow(lost, before, listed);
  if (parts.length > maxParts) return { limit: failedPoll(source, tools, tooManyParts) };
  const { isOld: _, ...kept } = before;
  const part = readNow({ ...kept, pages: "" }, marksAfter(document, before, tools.now()), tools);
  const below = dueParts(
    parts.filter(({ under }) => under === url),
    tools.now(),
  );
  return { part, gone, news: [], isComplete: true, parts, below };
}

/** Milliseconds: a time that is written more often would make each poll store the whole state again. */
const readAtEveryMs = 12 * 60 * 60 * 1000;

function readNow(part: SitemapPart, marks: DailyMarks, { now }: ConnectorTools): SitemapPart {
  const { lastmod, readAt = 0 } = part;
  const isStale = readAt < now() - readAtEveryMs;
  return {
    ...part,
    ...marks,
    readAt: isStale ? now() : readAt,
    ...(lastmod !== undefined && { readLastmod: lastmod }),
  };
}

function withPart(state: SitemapState, { part, gone, parts = state.parts }: ReadPart): SitemapState {
  return { ...state, gone, parts: parts.map(each => (each.url === part.url ? part : each)) };
}

async function finished(
  source: PolledSource,
  { state, news = [], root }: Round,
  tools: ConnectorTools,
  more = false,
): Promise<PollResult> {
  const { minIntervalMs: minMs, now, random } = tools;
  const intervalMs = nextInterval(state.intervalMs, { found: news.length > 0, minMs });
  const wait = Math.max(intervalMs, root ? feedWait({}, root.headers, now()) : 0);
  return {
    ok: true,
    posts: await postsOf(news, source, tools),
    state: { ...state, intervalMs },
    nextInMs: more ? minMs : jittered(wait, random()),
    ...(more && { more }),
    ...(root && movedTo(source, root)),
  };
}
