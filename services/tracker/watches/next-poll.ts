import type { PollResult } from "../../contracts/connectors.contract.ts";
import type { View } from "../../contracts/watch.contract.ts";
import { maxIntervalMs, nextPollWithin } from "../../domain/polling/poll-times.ts";
import type { Health } from "../../domain/polling/source-health.ts";
import { lastCron, nextCron } from "../../domain/watch/cron.ts";
import { intervalMs, isOpen, maxWatchIntervalMs, nextOpening } from "../../domain/watch/schedule.ts";
import { isConfirmed } from "../../domain/watch/view.ts";
import type { TrackerContext } from "../context.ts";
import { shortestMs } from "../source-kinds.ts";
import { type StoredSource, viewOf } from "../sources.store.ts";

type Clock = Pick<TrackerContext, "minIntervalMs" | "now" | "random" | "spread">;

/**
 * When a source is polled next, in milliseconds: after the interval that its view names, else by its habits or its
 * failures; within the view's schedule. A poll that confirms the last one comes sooner than the shortest interval.
 */
export function nextPoll(
  context: Clock,
  source: StoredSource,
  { health, failures }: Health,
  result: PollResult,
): number {
  const now = context.now();
  const view = viewOf(source);
  const { interval, schedule } = view;
  const usualMs = result.nextInMs ?? (result.ok ? 0 : (result.retryAfterMs ?? 0));
  const isPaced = !result.ok && result.nextInMs !== undefined;
  const confirms = result.ok && result.confirm === true;
  const isSteady = interval !== undefined && result.ok && !result.more && !confirms;
  const wantedMs = isSteady ? intervalMs(interval) : usualMs;
  const { fromMs, toMs } = nextPollWithin(
    {
      failures: isPaced ? 0 : failures,
      gone: health === "gone",
      wantedMs: source.again && result.ok ? 0 : wantedMs,
    },
    confirms ? 0 : result.ok ? shortestMs(context, source.kind) : context.minIntervalMs,
    isSteady ? maxWatchIntervalMs : maxIntervalMs,
  );
  const at = context.spread.pick(now + fromMs, now + toMs, now);
  if (goesOnAsAsked(source, result)) return at;
  if (schedule?.cron === undefined || view.pausedBy !== undefined) return withinSchedule(context, view, at);
  const atTime = withinSchedule(context, view, result.ok ? now : now + (result.askedMs ?? 0));
  return isContinued(result) || isTriedAgain(failures) ? Math.min(at, atTime) : atTime;
}

/** Whether the next poll goes on with what this one has begun. */
function isContinued(result: PollResult): boolean {
  return result.ok && (result.underWay ?? (result.confirm === true || result.more === true));
}

/** Whether the next poll goes on with one that somebody asked for: it has no schedule, and no pause. */
export function goesOnAsAsked(source: StoredSource, result: PollResult): boolean {
  return isAsked(source) && isContinued(result);
}

/** Somebody waits for the poll. */
function isAsked({ askedAt = 0, polledAt, asked }: StoredSource): boolean {
  return asked === true || askedAt > polledAt;
}

/** Failed polls in a row that are tried again before the next time of a cron expression. */
const mostTries = 3;

function isTriedAgain(failures: number): boolean {
  return failures > 0 && failures < mostTries;
}

/** Milliseconds until a second check says what of a new page stays. */
const learningMs = 30_000;

/** Milliseconds until a search without an interval is asked for again. */
const searchMs = 3_600_000;

/** When a view that begins now is first polled after its baseline. */
export function firstPoll(context: Clock, kind: StoredSource["kind"], view: View): number {
  const { interval, pausedBy } = view;
  // Only now are the pages of a site read for the first time.
  if (kind === "site" && pausedBy === undefined) return context.now();
  const shortest = shortestMs(context, kind);
  // What a search has found was asked for a moment ago.
  const withoutMs = kind === "search" ? Math.max(searchMs, shortest) : shortest;
  const usualMs = interval === undefined ? withoutMs : intervalMs(interval);
  const waitMs = kind === "web" && isConfirmed(view) ? Math.min(usualMs, learningMs) : usualMs;
  return withinSchedule(context, view, context.now() + waitMs);
}

/** Milliseconds after the opening of a window in which its sources are polled, so that not all of them are at once. */
const openingSpreadMs = 5 * 60_000;

/** A paused source is looked at again so late, and put off again. */
const pausedMs = maxWatchIntervalMs;

/** When a poll of the source was last wanted, by a person or by its cron expression: a site begins a round then. */
export function wantedAt(source: StoredSource, now: number): number | undefined {
  const { schedule } = viewOf(source);
  const last = schedule?.cron === undefined ? null : lastCron({ ...schedule, cron: schedule.cron }, now);
  return last === null ? source.askedAt : Math.max(last, source.askedAt ?? 0);
}

/** So many milliseconds after a time of a cron expression its sources are polled, at most. */
const cronSpreadMs = 10_000;

/** A time, or the next one that a view permits; of a cron expression the first one after it. */
export function withinSchedule(
  { now, random }: Pick<Clock, "now" | "random">,
  { schedule, pausedBy }: View,
  at: number,
): number {
  if (pausedBy !== undefined) return now() + pausedMs;
  if (!schedule) return at;
  const { cron, time_zone } = schedule;
  if (cron !== undefined)
    return (nextCron({ cron, time_zone }, at) ?? at + pausedMs) + Math.floor(random() * cronSpreadMs);
  if (isOpen(schedule, at)) return at;
  return nextOpening(schedule, at) + Math.floor(random() * openingSpreadMs);
}

/**
 * Whether a source is due at a time that its view excludes, as after a standstill; not while a person waits for it. A time of
 * a cron expression that was missed is made up for once, so what is due by it may be polled.
 */
export function isOutsideSchedule(source: StoredSource, now: number): boolean {
  if (source.view === undefined || isAsked(source)) return false;
  const { schedule, pausedBy } = viewOf(source);
  if (pausedBy !== undefined) return true;
  if (schedule?.cron !== undefined) return source.dueAt > now;
  return schedule !== undefined && !isOpen(schedule, now);
}
