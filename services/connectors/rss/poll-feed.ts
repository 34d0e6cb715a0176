import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import type { PollResult, Post } from "../../contracts/connectors.contract.ts";
import type { ItemNews } from "../../domain/feed/compare-feed.ts";
import type { ConnectorTools, PolledSource } from "../connector.ts";
import { askedWait, outsideSkipped } from "../hints.ts";
import { besideHub, jittered, nextInterval, usualGap } from "../pace.ts";
import { errorTrouble, statusTrouble, trouble } from "../trouble.ts";
import { findHub } from "../websub/find-hub.ts";
import { type FeedState, feedState } from "./feed-state.ts";
import { type FoundFeed, followMove } from "./follow-move.ts";
import { bodyHash } from "./resolve-feed.ts";
import { conditions, validators } from "./validators.ts";

/** Looks at a feed once. */
export async function pollFeed(source: PolledSource, tools: ConnectorTools): Promise<PollResult> {
  const state = feedState(source.state);
  try {
    const document = await tools.fetchDocument(source.externalId, conditions(state));
    if (document.status === 304) return await unchanged(source, document, tools);
    if (document.status < 200 || document.status > 299)
      return statusTrouble(source, tools, document.status, document.headers);
    if (state.bodyHash === bodyHash(document)) return await unchanged(source, document, tools);
    const digest = await tools.readFeed(document, state.memory);
    if (!digest.ok) return trouble(source, tools, digest.reason);
    return await changed(source, await followMove({ document, digest }, tools, state.memory), tools);
  } catch (error) {
    return errorTrouble(source, tools, error);
  }
}

async function unchanged(
  source: PolledSource,
  document: FetchedDocument,
  tools: ConnectorTools,
): Promise<PollResult> {
  const state = feedState(source.state);
  const intervalMs = nextInterval(state.intervalMs ?? tools.minIntervalMs, {
    found: false,
    minMs: tools.minIntervalMs,
    ...(state.gapMs !== undefined && { gapMs: state.gapMs }),
  });
  // A 304 may carry newer validators than the ones that it was asked with.
  const hub = findHub(document);
  const next = { ...state, ...validators(document), intervalMs, ...(hub && { hub }) };
  return {
    ok: true,
    posts: [],
    state: next,
    nextInMs: await waitFor(source, next, document, tools),
    ...moved(source, document, state.name),
  };
}

async function changed(
  source: PolledSource,
  { document, digest, isLeaving }: FoundFeed,
  tools: ConnectorTools,
): Promise<PollResult> {
  const state = feedState(source.state);
  const { feed, dates, news, memory, complete } = digest;
  const gapMs = usualGap(dates, tools.now());
  const intervalMs = nextInterval(state.intervalMs ?? tools.minIntervalMs, {
    found: news.length > 0,
    minMs: tools.minIntervalMs,
    ...(gapMs !== undefined && { gapMs }),
  });
  const { ttlMinutes, skipHours, skipDays } = feed;
  const name = feed.title?.slice(0, 300) ?? state.name;
  const hub = findHub(document, feed);
  const next: Partial<FeedState> = {
    memory,
    intervalMs,
    ...(name !== undefined && { name }),
    ...(gapMs !== undefined && { gapMs }),
    ...(hub && { hub }),
    // Without validators the next poll gets the document again, and with it what was left.
    ...(complete && !isLeaving && { ...validators(document), bodyHash: bodyHash(document) }),
    asked: { ...(ttlMinutes !== undefined && { ttlMinutes }), skipHours, skipDays },
  };
  return {
    ok: true,
    posts: news.map(toPost),
    state: { ...next },
    nextInMs: complete ? await waitFor(source, next, document, tools) : tools.minIntervalMs,
    ...(!complete && { more: true }),
    ...moved(source, document, state.name, name),
  };
}

function toPost({ kind, postId, revision, item }: ItemNews): Post {
  return { postId, revision, type: `rss.item.${kind}`, data: { item } };
}

async function waitFor(
  { externalId }: PolledSource,
  { intervalMs, hub, asked = { skipHours: [], skipDays: [] } }: Partial<FeedState>,
  { headers }: FetchedDocument,
  { now, random, minIntervalMs, keepSubscription }: ConnectorTools,
): Promise<number> {
  const lease = hub && (await keepSubscription?.(externalId, hub));
  const pace = besideHub(intervalMs ?? minIntervalMs, lease);
  const wait = Math.max(pace, askedWait(asked, headers, now()));
  return outsideSkipped(now() + jittered(wait, random()), asked) - now();
}

/** What became of the source itself, where anything did. */
function moved(
  { externalId }: PolledSource,
  { canonicalUrl }: FetchedDocument,
  before: string | undefined,
  name = before,
): Pick<Extract<PollResult, { ok: true }>, "source"> {
  const source = {
    ...(canonicalUrl !== externalId && { externalId: canonicalUrl }),
    ...(name !== undefined && name !== before && { name }),
  };
  return Object.keys(source).length > 0 ? { source } : {};
}
