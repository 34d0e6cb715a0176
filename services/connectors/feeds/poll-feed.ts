import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import type {
  Checked,
  CheckedVersion,
  FeedGap,
  PollResult,
  Post,
} from "../../contracts/connectors.contract.ts";
import type { ItemNews } from "../../domain/feed/compare-feed.ts";
import {
  type ConnectorTools,
  failedByError,
  failedByStatus,
  failedPoll,
  type PolledSource,
} from "../connector.ts";
import { findHub } from "../websub/subscribe.ts";
import { type FeedPace, nextFeedPoll, paceAfter } from "./feed-pace.ts";
import {
  bodyHash,
  type FeedState,
  feedState,
  hasSameValidators,
  requestHeaders,
  validators,
} from "./feed-state.ts";
import { type FoundFeed, followMove } from "./found-feed.ts";
import { readBack } from "./read-back.ts";
import { mostFull, withFullContent } from "./read-full.ts";

/** Polls a feed once. */
export async function pollFeed(source: PolledSource, allTools: ConnectorTools): Promise<PollResult> {
  const tools = isFull(source) ? readingFew(allTools) : allTools;
  const state = feedState(source.state);
  const startedAt = tools.now();
  try {
    const document = await tools.fetchDocument(source.externalId, requestHeaders(state, tools.now()));
    if (document.status === 304) return await unchanged(source, document, startedAt, tools);
    if (document.status < 200 || document.status > 299)
      return failedByStatus(source, tools, document.status, document.headers);
    if (state.bodyHash === bodyHash(document)) return await unchanged(source, document, startedAt, tools);
    const digest = await tools.readFeed(document, state.memory);
    if (!digest.ok) return failedPoll(source, tools, digest.reason);
    const found = await followMove({ document, digest }, tools, state.memory);
    const read = await readBack(found, tools, state.memory, state.checkedAt);
    return await changed(source, read, startedAt, tools);
  } catch (error) {
    return failedByError(source, tools, error);
  }
}

function isFull({ view }: PolledSource): boolean {
  return view?.content === "full";
}

/** The pages of the items have to be read in the same poll. */
function readingFew({ readFeed, ...tools }: ConnectorTools): ConnectorTools {
  return { ...tools, readFeed: (document, memory, older) => readFeed(document, memory, older, mostFull) };
}

async function unchanged(
  source: PolledSource,
  document: FetchedDocument,
  startedAt: number,
  tools: ConnectorTools,
): Promise<PollResult> {
  const state = feedState(source.state);
  // A 304 may carry newer validators than the request did.
  const hub = findHub(document);
  const isRead = document.status !== 304;
  const next = {
    ...state,
    ...validators(document),
    ...paceAfter(state, tools, source.view),
    ...(hub && { hub }),
    ...(isRead ? { unread: 0, readAt: tools.now() } : { unread: (state.unread ?? 0) + 1 }),
  };
  return {
    ok: true,
    posts: [],
    state: next,
    check: checkOf(document, [], [], tools.now() - startedAt),
    nextInMs: await nextPollIn(source, next, document, tools),
    ...movedTo(source, document, state.name),
  };
}

async function changed(
  source: PolledSource,
  { document, digest, isLeaving, pages }: FoundFeed & { pages: number },
  startedAt: number,
  tools: ConnectorTools,
): Promise<PollResult> {
  const state = feedState(source.state);
  const { feed, dates, shown, news, memory, complete, isGap } = digest;
  const { ttlMinutes, skipHours, skipDays } = feed;
  const name = feed.title?.slice(0, 300) ?? state.name;
  const hub = findHub(document, feed);
  const isDeceptive =
    state.isDeceptive || (news.some(({ kind }) => kind === "created") && hasSameValidators(document, state));
  const next = {
    memory,
    ...paceAfter(state, tools, source.view, { dates, shown, news, isGap }),
    readAt: tools.now(),
    ...(name !== undefined && { name }),
    ...(hub && { hub }),
    ...(isDeceptive && { isDeceptive }),
    ...(isGap && { isGap }),
    // Without validators the next poll fetches the whole document again, with the items that were left out.
    ...(complete && !isLeaving && { ...validators(document), bodyHash: bodyHash(document) }),
    asked: { ...(ttlMinutes !== undefined && { ttlMinutes }), skipHours, skipDays },
  };
  const whole = isFull(source) ? await withFullContent(source, news, tools) : news;
  const told = await countedNews(whole, source, tools);
  const items = told.length === 0 ? [] : await tools.itemVersions(source.externalId, told);
  return {
    ok: true,
    posts: told.map(toPost),
    state: { ...next },
    check: checkOf(document, news, items, tools.now() - startedAt),
    nextInMs: complete ? await nextPollIn(source, next, document, tools) : tools.minIntervalMs,
    ...(!complete && { more: true }),
    ...(isGap && !state.isGap && { gap: gapOf(state, digest, pages) }),
    ...movedTo(source, document, state.name, name),
  };
}

/** What is known of items that may have been missed; it is told once, until a poll finds a known item again. */
function gapOf(
  { checkedAt }: Partial<FeedState>,
  { dates, shown }: FoundFeed["digest"],
  pages: number,
): FeedGap {
  const [oldest = null] = dates.toSorted();
  const from = checkedAt === undefined ? null : new Date(checkedAt).toISOString();
  return { from, until: oldest, items: shown, pages };
}

/** What the history says of a check of a feed. */
function checkOf(
  { status }: FetchedDocument,
  news: ItemNews[],
  items: CheckedVersion[],
  tookMs: number,
): Checked {
  const facts = { tookMs, status, engine: "http" as const };
  if (news.length === 0) return { ...facts, outcome: "same", reason: "No item is new or changed." };
  if (items.length === 0)
    return { ...facts, outcome: "held", reason: `${itemsIn(news)}, and the options leave them out.` };
  return { ...facts, outcome: "changed", reason: `${itemsIn(news)}.`, items };
}

function itemsIn(news: ItemNews[]): string {
  const created = news.filter(({ kind }) => kind === "created").length;
  const counts = [
    [created, "new"],
    [news.length - created, "changed"],
  ] as const;
  const words = counts.flatMap(([count, word]) =>
    count === 0 ? [] : `${count} ${count === 1 ? "item is" : "items are"} ${word}`,
  );
  return words.join(", ");
}

/** The posts of news. */
export async function postsOf(
  news: ItemNews[],
  source: PolledSource,
  tools: ConnectorTools,
): Promise<Post[]> {
  return (await countedNews(news, source, tools)).map(toPost);
}

/** The news that count for the view. What does not is over: the memory of the feed has it. */
async function countedNews(
  news: ItemNews[],
  { externalId, view }: PolledSource,
  tools: ConnectorTools,
): Promise<ItemNews[]> {
  return view === undefined || news.length === 0 ? news : await tools.countingNews(externalId, news, view);
}

function toPost({ kind, postId, revision, item }: ItemNews): Post {
  return { postId, revision, type: `rss.item.${kind}`, data: { item } };
}

async function nextPollIn(
  { externalId, view }: PolledSource,
  state: Partial<FeedState> & FeedPace,
  { headers }: FetchedDocument,
  tools: ConnectorTools,
): Promise<number> {
  const { hub, asked = { skipHours: [], skipDays: [] } } = state;
  const lease = hub && (await tools.keepSubscription?.(externalId, hub));
  return nextFeedPoll(state, { hints: asked, headers, lease }, view, tools);
}

/** The new address or name of the source, if either changed. */
export function movedTo(
  { externalId }: PolledSource,
  { canonicalUrl }: FetchedDocument,
  before?: string,
  name = before,
): Pick<Extract<PollResult, { ok: true }>, "source"> {
  const source = {
    ...(canonicalUrl !== externalId && { externalId: canonicalUrl }),
    ...(name !== undefined && name !== before && { name }),
  };
  return Object.keys(source).length > 0 ? { source } : {};
}
