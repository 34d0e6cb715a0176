import { setImmediate as nextTurn } from "node:timers/promises";
import type { NewEvent } from "../../mixins/log/log.ts";
import type { Update } from "../../mixins/store/store.ts";
import type { PollResult, Post } from "../contracts/connectors.contract.ts";
import { codeOf } from "../contracts/errors.ts";
import { type Judgement, judgePoll } from "../domain/polling/judge-poll.ts";
import { nextPollWithin } from "../domain/polling/next-poll.ts";
import type { LeasedSource } from "./lease.ts";
import { atOnce, type Steps, type StoredSource, type StoredState, type TrackerRoom } from "./room.ts";
import { shortestMs } from "./social.ts";
import { noticeEvents, postEvents } from "./source-events.ts";
import { movedBeyond } from "./source-state.ts";
import { slicePosts, tell } from "./tell.ts";

/**
 * Takes in what a poll found: the state moves, the next poll is set and one event per post stands in the log of every
 * key that tracks the source, all at once or not at all. Without the lease nothing happens: another has polled since,
 * or the source is no longer tracked. Where posts and keys are many, the first posts are told ahead of that; a poll
 * that is repeated then tells them no second time.
 */
export async function ingest(
  room: TrackerRoom,
  source: LeasedSource,
  stored: StoredState | null,
  result: PollResult,
  startedAt: number,
): Promise<void> {
  if (result.ok && result.source?.externalId !== undefined)
    await move(room, source, result.source.externalId);
  const posts = result.ok ? await tellAhead(room, source, result.posts) : [];
  await underLease(room, source, (steps, before) => {
    const judgement = judgePoll(before, outcomeOf(result));
    const moved = movedBeyond(stored, result.state);
    const more = result.ok && result.more && { more: true as const };
    const after = { ...habits(room, before, judgement, result), polledAt: startedAt, ...more };
    const settled = steps.sources.updateById(before._id, settling(after, moved)) ?? before;
    if (moved === null) steps.states.put({ _id: source._id, state: result.state });
    const now = room.now();
    const notices = noticeEvents(steps, settled, judgement, result, { polledAt: before.polledAt, now });
    return [...notices, ...postEvents(steps, settled, posts, now)];
  });
}

/**
 * The source under the address that it has now; one that another source has stays with that one. A step of its own: only
 * the store can tell whether the address is free.
 */
async function move(room: TrackerRoom, { _id, lease }: LeasedSource, externalId: string): Promise<void> {
  const updatedAt = new Date(room.now()).toISOString();
  const renamed = atOnce(room, ({ sources }) => {
    const source = sources.findById(_id);
    if (source?.lease === lease && source.externalId !== externalId)
      sources.updateById(_id, { $set: { externalId, updatedAt } });
  });
  await renamed.catch(error => {
    if (codeOf(error) !== "conflict") throw error;
  });
}

/** Tells all posts but the last slice; tells which are left. */
async function tellAhead(room: TrackerRoom, source: LeasedSource, posts: Post[]): Promise<Post[]> {
  if (posts.length < 2) return posts;
  const slice = await slicePosts(room, source._id);
  let told = 0;
  for (; posts.length - told > slice; told += slice) {
    const some = posts.slice(told, told + slice);
    await underLease(room, source, (steps, before) => postEvents(steps, before, some, room.now()));
    await nextTurn();
  }
  return posts.slice(told);
}

function underLease(
  room: TrackerRoom,
  { _id, lease, leaseUntil }: LeasedSource,
  work: (steps: Steps, source: StoredSource) => NewEvent[],
): Promise<void> {
  const ifLeased = (steps: Steps) => {
    const source = steps.sources.findById(_id);
    return source?.lease === lease ? work(steps, source) : [];
  };
  return tell(room, ifLeased, leaseUntil);
}

function outcomeOf(result: PollResult): "ok" | "failed" | "gone" {
  if (result.ok) return "ok";
  return result.gone ? "gone" : "failed";
}

/** What the poll tells of the source, and when it is due again by its habits or its failures. */
function habits(
  room: TrackerRoom,
  before: StoredSource,
  { health, failures, notice }: Judgement,
  result: PollResult,
): Pick<StoredSource, "health" | "failures" | "dueAt" | "updatedAt" | "name"> {
  const now = room.now();
  const wantedMs = result.ok ? result.nextInMs : (result.retryAfterMs ?? 0);
  const { fromMs, toMs } = nextPollWithin(
    { failures, gone: health === "gone", wantedMs: before.again && result.ok ? 0 : wantedMs },
    result.ok ? shortestMs(room, before.kind) : room.minIntervalMs,
  );
  const dueAt = room.spread.pick(now + fromMs, now + toMs, now);
  const name = (result.ok ? result.source?.name : undefined) ?? before.name;
  const isChanged = notice !== null || name !== before.name;
  const updatedAt = isChanged ? new Date(now).toISOString() : before.updatedAt;
  return { health, failures, dueAt, updatedAt, name };
}

/** Frees the source. What little of its state has `moved` stands in it, so that most polls write no other document. */
function settling(after: Partial<StoredSource>, moved: ReturnType<typeof movedBeyond>): Update<StoredSource> {
  const free = { lease: true, again: true, ...(!after.more && { more: true as const }) } as const;
  return moved && Object.keys(moved).length > 0
    ? { $set: { ...after, moved }, $unset: free }
    : { $set: after, $unset: { ...free, moved: true } };
}
