import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { NewEvent } from "../../mixins/log/log.ts";
import type { PollResult, Post } from "../contracts/connectors.contract.ts";
import { type Judgement, judgePoll } from "../domain/polling/judge-poll.ts";
import { nextPollInMs } from "../domain/polling/next-poll.ts";
import type { LeasedSource } from "./lease.ts";
import { publicSource } from "./records.ts";
import { atOnce, type Steps, type StoredSource, type TrackerRoom } from "./room.ts";

/**
 * Takes in what a poll found: the state moves, the next poll is set and one event per post stands in the log of every
 * key that tracks the source, all at once or not at all. Without the lease nothing happens: another has polled since,
 * or the source is no longer tracked.
 */
export async function ingest(
  room: TrackerRoom,
  { _id, lease }: LeasedSource,
  former: Record<string, unknown>,
  result: PollResult,
  startedAt: number,
): Promise<void> {
  const grown = await atOnce(room, steps => {
    const before = steps.sources.findById(_id);
    if (before?.lease !== lease) return [];
    const judgement = judgePoll(before, outcomeOf(result));
    const after = settle(room, steps, before, judgement, result, startedAt);
    if (!isDeepStrictEqual(former, result.state))
      steps.states.upsertById(_id, { $set: { state: result.state } });
    return room.log.appendNow(eventsOf(room, steps, after, judgement, result));
  });
  room.log.announce(grown);
}

function outcomeOf(result: PollResult): "ok" | "failed" | "gone" {
  if (result.ok) return "ok";
  return result.gone ? "gone" : "failed";
}

/** The source after the poll: free, and due when its habits or its failures say. */
function settle(
  room: TrackerRoom,
  steps: Steps,
  before: StoredSource,
  { health, failures, notice }: Judgement,
  result: PollResult,
  startedAt: number,
): StoredSource {
  const now = room.now();
  const wantedMs = result.ok ? result.nextInMs : (result.retryAfterMs ?? 0);
  const waitMs = nextPollInMs(
    { failures, gone: health === "gone", wantedMs },
    room.minIntervalMs,
    room.random(),
  );
  const news = result.ok ? newFacts(steps, before, result.source ?? {}) : {};
  const isChanged = notice !== null || Object.keys(news).length > 0;
  const updatedAt = isChanged ? new Date(now).toISOString() : before.updatedAt;
  const after = { health, failures, dueAt: now + waitMs, polledAt: startedAt, updatedAt, ...news };
  return steps.sources.updateById(before._id, { $set: after, $unset: { lease: true } }) ?? before;
}

/** A changed name or address. An address that another source has stays with that one. */
function newFacts(
  { sources }: Steps,
  { kind, name, externalId }: StoredSource,
  found: { name?: string; externalId?: string },
): { name?: string; externalId?: string } {
  const hasMoved = found.externalId !== undefined && found.externalId !== externalId;
  const isFree =
    hasMoved &&
    sources.find({ query: { kind, externalId: found.externalId ?? null }, limit: 1 }).length === 0;
  return {
    ...(found.name !== undefined && found.name !== name && { name: found.name }),
    ...(isFree && { externalId: found.externalId }),
  };
}

/** One event per post, and one for a change of health. */
function eventsOf(
  room: TrackerRoom,
  steps: Steps,
  source: StoredSource,
  { notice }: Judgement,
  result: PollResult,
): NewEvent[] {
  const posts = result.ok ? result.posts : [];
  if (posts.length === 0 && notice === null) return [];
  const subscriptions = steps.subscriptions.find({ query: { sourceId: source._id } });
  const shared = {
    timestamp: new Date(room.now()).toISOString(),
    keyIds: subscriptions.map(({ keyId }) => keyId),
  };
  const shown = publicSource(source);
  const news = posts.map((post): NewEvent => {
    const data = { ...post.data, source: shown };
    return { ...shared, bodyId: identityOf(source, post), type: post.type, data };
  });
  if (notice === null) return news;
  const reason = result.ok ? "The source can be read again." : result.reason;
  const bodyId = digest([source._id, notice, shared.timestamp]);
  const told = { ...shared, bodyId, type: notice, data: { source: shown, reason } };
  // Whoever reads in order learns that a source is back before its posts.
  return [told, ...news];
}

/** A post is told once per revision, however often the step is repeated. */
function identityOf({ _id }: StoredSource, { postId, revision }: Post): string {
  return digest([_id, postId, revision]);
}

function digest(parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
