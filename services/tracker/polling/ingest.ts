import { setImmediate as nextTurn } from "node:timers/promises";
import type { NewEvent } from "../../../mixins/event-log/event-log.ts";
import type { Update } from "../../../mixins/store/store.ts";
import type { PollResult, Post } from "../../contracts/connectors.contract.ts";
import { codeOf } from "../../contracts/errors.ts";
import { type HealthJudgement, judgeHealth } from "../../domain/polling/source-health.ts";
import { troubleAfter } from "../../domain/polling/source-problem.ts";
import {
  collectionsIn,
  type TrackerContext,
  type TrackerStores,
  type TrackerTransaction,
  transact,
} from "../context.ts";
import {
  type Address,
  addressOf,
  type StoredSource,
  type StoredState,
  smallChanges,
  storedId,
  viewOf,
} from "../sources.store.ts";
import { nextPoll } from "../watches/next-poll.ts";
import { viewKey } from "../watches/views.ts";
import type { LeasedSource } from "./due-sources.ts";
import { noticeEvents, postEvents } from "./source-events.ts";

/**
 * Ingests the result of a poll in one transaction: it stores the state, sets the next poll and appends one event per
 * post to the log of each key that tracks the source. It does nothing without the lease: another process has polled
 * since, or nobody tracks the source any more. Many posts for many keys are appended in slices before that transaction;
 * a repeated poll does not append them again.
 */
export async function ingest(
  context: TrackerContext,
  source: LeasedSource,
  stored: StoredState | null,
  result: PollResult,
  startedAt: number,
): Promise<void> {
  if (result.ok && result.source?.externalId !== undefined)
    await changeAddress(context, source, result.source.externalId);
  const posts = result.ok ? await appendEarlierSlices(context, source, result.posts) : [];
  await appendUnderLease(context, source, (tx, before) => {
    const judgement = judgeHealth(before, outcomeOf(result));
    const moved = smallChanges(stored, result.state);
    const more = result.ok && result.more && { more: true as const };
    const judged = judgedFields(context, before, judgement, result);
    const after = { ...judged, ...shownFields(before, result, startedAt), polledAt: startedAt, ...more };
    const updated = tx.sources.updateById(before._id, sourceUpdate(after, moved)) ?? before;
    if (moved === null) tx.states.put({ _id: source._id, state: result.state });
    const now = context.now();
    const notices = noticeEvents(tx, updated, judgement, result, { polledAt: before.polledAt, now });
    return [...notices, ...postEvents(tx, updated, posts, now)];
  });
}

/**
 * Stores the source's new address, unless another source has it. This is a transaction of its own because only the
 * store knows whether the address is free.
 */
async function changeAddress(
  context: TrackerContext,
  { _id, lease }: LeasedSource,
  externalId: string,
): Promise<void> {
  const updatedAt = new Date(context.now()).toISOString();
  const renamed = transact(context, ({ sources }) => {
    const source = sources.findById(_id);
    if (source?.lease !== lease || addressOf(source).externalId === externalId) return;
    const view = viewOf(source);
    if (view.sealed && !isSameOrigin(addressOf(source).externalId, externalId)) return;
    sources.updateById(_id, { $set: { externalId: storedId(externalId, viewKey(view)), updatedAt } });
  });
  await renamed.catch(error => {
    if (codeOf(error) !== "conflict") throw error;
  });
}

/** A source's headers and cookies are for the site that its subscriber named, and for no other that it moves to. */
function isSameOrigin(url: string, other: string): boolean {
  return URL.parse(url)?.origin === URL.parse(other)?.origin;
}

/** Appends all slices but the last and returns the posts of the last one. */
async function appendEarlierSlices(
  context: TrackerContext,
  source: LeasedSource,
  posts: Post[],
): Promise<Post[]> {
  if (posts.length < 2) return posts;
  const slice = await postsPerSlice(context, source._id);
  let appended = 0;
  for (; posts.length - appended > slice; appended += slice) {
    const some = posts.slice(appended, appended + slice);
    await appendUnderLease(context, source, (tx, before) => postEvents(tx, before, some, context.now()));
    await nextTurn();
  }
  return posts.slice(appended);
}

function appendUnderLease(
  context: TrackerContext,
  { _id, lease, leaseUntil }: LeasedSource,
  work: (tx: TrackerTransaction, source: StoredSource) => NewEvent[],
): Promise<void> {
  const ifLeased = (tx: TrackerTransaction) => {
    const source = tx.sources.findById(_id);
    return source?.lease === lease ? work(tx, source) : [];
  };
  return appendEvents(context, ifLeased, leaseUntil);
}

function outcomeOf(result: PollResult): "ok" | "failed" | "gone" {
  if (result.ok) return "ok";
  return result.gone ? "gone" : "failed";
}

/** The source's new health, and its next poll by its habits or its failures. */
function judgedFields(
  context: TrackerContext,
  before: StoredSource,
  { health, failures, notice }: HealthJudgement,
  result: PollResult,
): Pick<StoredSource, "health" | "failures" | "dueAt" | "updatedAt" | "name"> {
  const now = context.now();
  const dueAt = nextPoll(context, before, { health, failures }, result);
  const name = (result.ok ? result.source?.name : undefined) ?? before.name;
  const isChanged = notice !== null || name !== before.name;
  const updatedAt = isChanged ? new Date(now).toISOString() : before.updatedAt;
  return { health, failures, dueAt, updatedAt, name };
}

/** What lists of sources show of a poll beside the health. */
function shownFields(
  before: StoredSource,
  result: PollResult,
  startedAt: number,
): Pick<StoredSource, "trouble" | "lastEventAt"> {
  if (!result.ok) return { trouble: troubleAfter(before.trouble, result, startedAt) };
  return result.posts.length > 0 ? { lastEventAt: startedAt } : {};
}

/**
 * Releases the source. Small state changes are stored in the source's own document (`moved`), so that most polls write
 * no other.
 */
function sourceUpdate(
  after: Partial<StoredSource>,
  moved: ReturnType<typeof smallChanges>,
): Update<StoredSource> {
  const yes = true as const;
  const free = {
    lease: yes,
    again: yes,
    ...(!after.more && { more: yes }),
    ...(!after.trouble && { trouble: yes }),
  };
  return moved && Object.keys(moved).length > 0
    ? { $set: { ...after, moved }, $unset: free }
    : { $set: after, $unset: { ...free, moved: true } };
}

/**
 * Ingests pushed posts. A post's event has the same identity whether it was pushed or polled, so that the second of the
 * two appends nothing. This needs no lease because it changes no state: the next poll continues where the last one
 * ended. Many posts for many keys are appended in slices; a sender that is interrupted sends all of them again.
 */
export async function receivePosts(
  context: TrackerContext,
  { kind, externalId, posts }: Address & { posts: Post[] },
): Promise<{ isTracked: boolean }> {
  const source = await context.sources.findOne({ kind, externalId });
  if (!source) return { isTracked: false };
  const slice = await postsPerSlice(context, source._id);
  for (let appended = 0; appended < posts.length; appended += slice) {
    if (appended > 0) await nextTurn();
    await appendEvents(context, tx => {
      const current = tx.sources.findById(source._id);
      return current ? postEvents(tx, current, posts.slice(appended, appended + slice), context.now()) : [];
    });
  }
  return { isTracked: true };
}

/** About how many references one transaction writes; it blocks the process for some tens of milliseconds. */
const referencesPerSlice = 2000;

/**
 * Runs `work` and appends the events that it returns, in one transaction; refuses after `until` (ms), the end of the
 * lease.
 */
async function appendEvents(
  context: TrackerContext,
  work: (tx: TrackerTransaction) => NewEvent[],
  until?: number,
): Promise<void> {
  // Most polls find nothing, and a transaction that includes a separate log costs several times as much. So try without
  // the log first.
  if (context.sources.isShared && (await wroteWithoutEvents(context, work))) return;
  await context.log.appendWith(context.sources, transaction => work(collectionsIn(transaction)), until);
}

/** Writes the result of `work` if it has no events. Otherwise it writes nothing and returns false. */
async function wroteWithoutEvents(
  context: TrackerContext,
  work: (tx: TrackerTransaction) => NewEvent[],
): Promise<boolean> {
  const hasEvents = new Error("There are events to append");
  const withoutEvents = (tx: TrackerTransaction) => {
    if (work(tx).length > 0) throw hasEvents;
  };
  return transact(context, withoutEvents).then(
    () => true,
    error => {
      if (error !== hasEvents) throw error;
      return false;
    },
  );
}

/** How many posts of a source fit in one transaction. */
async function postsPerSlice({ subscriptions }: TrackerStores, sourceId: string): Promise<number> {
  const keys = await subscriptions.count({ sourceId });
  return Math.max(1, Math.floor(referencesPerSlice / Math.max(keys, 1)));
}
