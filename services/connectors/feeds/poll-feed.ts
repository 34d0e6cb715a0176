import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import type { FeedGap, PollResult, Post } from "../../contracts/connectors.contract.ts";
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

/** Polls a feed once. */
export async function pollFeed(source: PolledSource, tools: ConnectorTools): Promise<PollResult> {
  const state = feedState(source.state);
  try {
    const document = await tools.fetchDocument(source.externalId, requestHeaders(state, tools.now()));
    if (document.status === 304) return await unchanged(source, document, tools);
    if (document.status < 200 || document.status > 299)
      return failedByStatus(source, tools, document.status, document.headers);
    if (state.bodyHash === bodyHash(document)) return await unchanged(source, document, tools);
    const digest = await tools.readFeed(document, state.memory);
    if (!digest.ok) return failedPoll(source, tools, digest.reason);
    const found = await followMove({ document, digest }, tools, state.memory);
    return await changed(source, await readBack(found, tools, state.memory), tools);
  } catch (error) {
    return failedByError(source, tools, error);
  }
}

async function unchanged(
  source: PolledSource,
  document: FetchedDocument,
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
    nextInMs: await nextPollIn(source, next, document, tools),
    ...movedTo(source, document, state.name),
  };
}

async function changed(
  source: PolledSource,
  { document, digest, isLeaving, pages }: FoundFeed & { pages: number },
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
  return {
    ok: true,
    posts: await postsOf(news, source, tools),
    state: { ...next },
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

/** The posts of news. What does not count for the view is over: the memory of the feed has it. */
export async function postsOf(
  news: ItemNews[],
  { externalId, view }: PolledSource,
  tools: ConnectorTools,
): Promise<Post[]> {
  const counting =
    view === undefined || news.length === 0 ? news : await tools.countingNews(externalId, news, view);
  return counting.map(toPost);
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
