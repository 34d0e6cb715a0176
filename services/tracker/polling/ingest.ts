import type { Update } from "../../../mixins/store/store.ts";
import { updateIf } from "../../../mixins/store/update-if.ts";
import type { PollResult, Post } from "../../contracts/connectors.contract.ts";
import { codeOf } from "../../contracts/errors.ts";
import { isRevision } from "../../contracts/events.ts";
import { splitNetwork } from "../../contracts/source.ts";
import type { Foreseen } from "../../contracts/tracker.contract.ts";
import { type HealthJudgement, judgeHealth } from "../../domain/polling/source-health.ts";
import { problemAfter } from "../../domain/polling/source-problem.ts";
import type { TrackerContext } from "../context.ts";
import { noteNews } from "../monitors/pages.ts";
import {
  type Address,
  addressOf,
  type StoredSource,
  type StoredState,
  type StoredSubscription,
  smallChanges,
  storedId,
  viewOf,
} from "../sources.store.ts";
import { addPendingUnfollow } from "../tracking/pending-unfollows.ts";
import { goesOnAsAsked, nextPoll } from "../watches/next-poll.ts";
import { viewKey } from "../watches/views.ts";
import { appendPosts, holdersOf, subscribers } from "./append-posts.ts";
import type { LeasedSource } from "./due-sources.ts";
import { keepVersions } from "./keep-versions.ts";
import { openPoll, storeState } from "./open-poll.ts";
import { recordCheck } from "./record-check.ts";
import { noticeEvents, type ToldPost } from "./source-events.ts";

/**
 * Ingests the result of a poll, in this order: what the check saw is kept as versions, one event per post goes to the log of
 * each key that tracks the source, the runs of checks and values that have ended are kept, the state is stored, and the
 * source gets its next poll, which frees it. The last write alone makes the poll count. After a
 * crash before it the source is polled again: its events are those that the log has already, and its state is written
 * again. A change of a page is stored with its state before it is told (open-poll.ts), and the next poll finishes that. Nothing is written without the lease: another process has polled since, or nobody tracks the source any more.
 */
export async function ingest(
  context: TrackerContext,
  source: LeasedSource,
  stored: StoredState | null,
  result: PollResult,
  startedAt: number,
): Promise<void> {
  const { _id, lease, fence = 0 } = source;
  if (result.ok && result.source?.externalId !== undefined)
    await changeAddress(context, source, result.source.externalId);
  const before = await context.sources.findById(_id);
  if (before === null) forgetPictures(context, source);
  if (before?.lease !== lease) return;
  const judgement = judgeHealth(before, outcomeOf(result));
  const kept = result.ok ? await keepVersions(context, before, result, startedAt) : { posts: [] };
  const named = { ...before, name: nameAfter(before, result) };
  const eventAt = context.now();
  const state = { _id, state: result.state, fence };
  const open = result.ok && openPoll(before, result, kept, { name: named.name, startedAt, eventAt });
  if (open && !(await storeState(context.states, { ...state, open }))) return;
  await appendResult(context, source, named, judgement, result, { posts: kept.posts, at: eventAt });
  await noteNews(context, named, kept.posts, eventAt);
  const after = await recordCheck(context, before, result, { ...kept, startedAt, eventAt });
  const moved = open ? null : smallChanges(stored, result.state);
  if (moved === null) await storeState(context.states, state);
  const isHeld = (current: StoredSource) => current.lease === lease;
  const isFree = await updateIf(context.sources, _id, isHeld, current => {
    const judged = judgedFields(context, current, judgement, result);
    const more = result.ok && result.more && { more: true as const };
    const shown = shownFields(current, result, startedAt);
    const asked = goesOnAsAsked(current, result) && { asked: true as const };
    return sourceUpdate(
      { ...judged, ...shown, ...after, polledAt: startedAt, ...more, ...asked },
      moved,
      fence,
    );
  });
  if (!isFree) await forgetIfGone(context, source);
}

/** Nobody tracks it any more, and what there was of it went before this poll wrote some of it again. */
async function forgetIfGone(context: TrackerContext, source: LeasedSource): Promise<void> {
  const { sources, states, history } = context;
  if (await sources.findById(source._id)) return;
  forgetPictures(context, source);
  await states.remove(source._id);
  await history.erase(source._id);
  if (source.kind === "site") await forgetPages(context, source);
}

async function forgetPages(context: TrackerContext, source: LeasedSource): Promise<void> {
  await addPendingUnfollow(context, source);
  context.onPendingUnfollow(source);
}

/** A poll takes its pictures before anything is written of it. */
function forgetPictures(context: TrackerContext, source: LeasedSource): void {
  if (viewOf(source).screenshot) context.forgetPictures(source._id);
}

/** Stores the source's new address, unless another source has it, as only the store knows. */
async function changeAddress(
  context: TrackerContext,
  { _id, lease }: LeasedSource,
  externalId: string,
): Promise<void> {
  const updatedAt = new Date(context.now()).toISOString();
  const renamed = context.sources.change(_id, source => {
    if (source?.lease !== lease || addressOf(source).externalId === externalId) return undefined;
    const view = viewOf(source);
    if (view.sealed && !isSameOrigin(addressOf(source).externalId, externalId)) return undefined;
    return { ...source, externalId: storedId(externalId, viewKey(view)), updatedAt };
  });
  await renamed.catch(error => {
    if (codeOf(error) !== "conflict") throw error;
  });
}

/** A source's headers and cookies are for the site that its subscriber named, and for no other that it moves to. */
function isSameOrigin(url: string, other: string): boolean {
  return URL.parse(url)?.origin === URL.parse(other)?.origin;
}

/** Appends the events of a poll for the keys that track the source now: a key that joins later has seen its posts. */
async function appendResult(
  context: TrackerContext,
  { leaseUntil }: LeasedSource,
  source: StoredSource,
  judgement: HealthJudgement,
  result: PollResult,
  { posts, at }: { posts: ToldPost[]; at: number },
): Promise<void> {
  const isSilent = judgement.notice === null && !(result.ok && result.gap);
  if (posts.length === 0 && isSilent) return;
  const keyIds = await subscribers(context, source._id);
  const notices = noticeEvents(source, keyIds, judgement, result, at);
  if (notices.length > 0) await context.log.append(notices, leaseUntil);
  await appendPosts(context, source, keyIds, posts, leaseUntil);
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
): Pick<StoredSource, "health" | "failures" | "dueAt" | "updatedAt" | "name" | "network"> {
  const now = context.now();
  const dueAt = nextPoll(context, before, { health, failures }, result);
  const name = nameAfter(before, result);
  const isChanged = notice !== null || name !== before.name;
  const updatedAt = isChanged ? new Date(now).toISOString() : before.updatedAt;
  const network = result.ok ? result.source?.network : undefined;
  return { health, failures, dueAt, updatedAt, name, ...(network !== undefined && { network }) };
}

function nameAfter(before: StoredSource, result: PollResult): string {
  return (result.ok ? result.source?.name : undefined) ?? before.name;
}

/** What lists of sources show of a poll beside the health. */
function shownFields(
  before: StoredSource,
  result: PollResult,
  startedAt: number,
): Pick<StoredSource, "problem" | "lastEventAt"> {
  if (!result.ok) return { problem: problemAfter(before.problem, result, startedAt) };
  return result.posts.length > 0 ? { lastEventAt: startedAt } : {};
}

/**
 * Releases the source. Small state changes are stored in the source's own document (`moved`), so that most polls write
 * no other.
 */
function sourceUpdate(
  after: Partial<StoredSource>,
  moved: ReturnType<typeof smallChanges>,
  fence: number,
): Update<StoredSource> {
  const yes = true as const;
  const free = {
    lease: yes,
    again: yes,
    ...(!after.more && { more: yes }),
    ...(!after.asked && { asked: yes }),
    ...(!after.problem && { problem: yes }),
    ...(!after.values && { values: yes }),
    ...(!after.muted && { muted: yes }),
  };
  return moved && Object.keys(moved).length > 0
    ? { $set: { ...after, moved, movedIn: fence }, $unset: free }
    : { $set: after, $unset: { ...free, moved: true, movedIn: true } };
}

/**
 * Ingests pushed posts; what was edited or deleted for the keys that ask for it. A post's event has the same identity whether it was pushed or polled, so that the second of the
 * two appends nothing. This needs no lease because it changes no state: the next poll continues where the last one
 * ended. Many posts for many keys are appended in slices; a sender that is interrupted sends all of them again.
 */
export async function receivePosts(
  context: TrackerContext,
  { kind, externalId, posts }: Address & { posts: Post[] },
): Promise<{ isTracked: boolean }> {
  const source = await sourceOn(context, { kind, externalId });
  if (!source) return { isTracked: false };
  const held = await context.subscriptions.find({ query: { sourceId: source._id } });
  const revisions = posts.filter(isRevision);
  const news = posts.filter(post => !isRevision(post));
  const keysOf = (some: StoredSubscription[]) => some.map(({ keyId }) => keyId);
  await appendPosts(context, source, keysOf(held), news);
  const wanting = keysOf(held.filter(({ edits }) => edits));
  if (wanting.length > 0) await appendPosts(context, source, wanting, revisions);
  return { isTracked: true };
}

/** A source by its id, before which its network may be named although the id is older than another default. */
async function sourceOn(
  { sources }: TrackerContext,
  { kind, externalId }: Address,
): Promise<StoredSource | null> {
  const source = await sources.findOne({ kind, externalId });
  const { network, rest } = splitNetwork(externalId);
  if (source || network === undefined) return source;
  const bare = await sources.findOne({ kind, externalId: rest });
  return bare?.network === network ? bare : null;
}

/** What `receivePosts` would do with these posts, without doing it. */
export async function foreseePosts(
  context: TrackerContext,
  { kind, externalId, posts }: Address & { posts: Pick<Post, "postId" | "revision">[] },
): Promise<Foreseen> {
  const source = await sourceOn(context, { kind, externalId });
  const keyIds = source ? await subscribers(context, source._id) : [];
  if (!source || keyIds.length === 0) return { keyIds, holders: posts.map(() => []) };
  return { keyIds, holders: await holdersOf(context, source._id, keyIds, posts) };
}
