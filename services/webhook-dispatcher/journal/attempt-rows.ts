/**
 * The list of attempts in the store: one row for many of them. A row has the attempts of one write of a lane that had the
 * same outcome. Its indexes are paid for once.
 *
 * - Ids of a row follow one another and share a millisecond, so that rows do not overlap: the order of rows is that of
 *   their attempts, an id is in the row before it, and the retention takes whole rows.
 * - `keyId`, `endpoint`, `failedAs` hold for all of a row. A dead attempt has a row for itself, because a retry by hand may
 *   change it.
 * - An event is found by what its id begins with, which is the time of the event: a row says what the ids of its events have
 *   in common. It is a row of its own unless that is enough to leave out most others.
 */
import type { AttemptEntry, Attempted, ListedAttempt, StoredAttempts, Told } from "../webhooks.store.ts";
import { failedAs } from "../webhooks.store.ts";
import { idAfter, placesAfter, takeIds } from "./attempt-ids.ts";

const mostInRow = 128;
/** Characters of an event's id: `evt_`, and so many of its time that events of 17 minutes, and of 1 ms, have them in common. */
const [fewestShared, mostShared] = [10, 14];

/** Attempts that will be one row. */
interface Group {
  attempts: [Attempted, ...Attempted[]];
  /** What the ids of their events begin with. */
  events: string;
}

/** The rows of these attempts, with new ids in the order of the rows. */
export function rowsOf(attempts: readonly Attempted[], now: number): StoredAttempts[] {
  const groups: Group[] = [];
  const open = new Map<Attempted["outcome"], Group>();
  for (const attempt of attempts) {
    const { outcome, event_id } = attempt;
    const group = open.get(outcome);
    const events = group && joins(group, attempt) ? sharedBy(group.events, event_id) : undefined;
    if (group && events !== undefined) {
      group.attempts.push(attempt);
      group.events = events;
      continue;
    }
    const alone: Group = { attempts: [attempt], events: event_id };
    groups.push(alone);
    if (outcome !== "dead") open.set(outcome, alone);
  }
  return groups.map(group => rowOf(group, now));
}

/** Whether an attempt belongs with others of the same outcome, as far as their events permit. */
function joins({ attempts }: Group, { keyId, url, webhookId, endpoint }: Attempted): boolean {
  const [first] = attempts;
  return (
    attempts.length < mostInRow &&
    first.keyId === keyId &&
    first.url === url &&
    first.webhookId === webhookId &&
    first.endpoint === endpoint
  );
}

/** What an id begins with, too; undefined if that is too little. */
function sharedBy(events: string, id: string): string | undefined {
  if (id === events || (events.length <= mostShared && id.startsWith(events))) return events;
  const most = Math.min(mostShared, events.length, id.length);
  let same = 0;
  while (same < most && events.charCodeAt(same) === id.charCodeAt(same)) same += 1;
  return same >= fewestShared ? id.slice(0, same) : undefined;
}

/** The values of `events` of all rows that may hold an event. */
export function eventsWith(id: string): string[] {
  const shared = [];
  for (let length = fewestShared; length <= Math.min(mostShared, id.length); length += 1)
    shared.push(id.slice(0, length));
  return [...new Set([id, ...shared])];
}

function rowOf({ attempts, events }: Group, now: number): StoredAttempts {
  const [first] = attempts;
  const { keyId, webhookId, endpoint, url, outcome, startedAt } = first;
  return {
    _id: takeIds(attempts.length, now),
    keyId,
    ...(webhookId !== undefined && { webhookId }),
    ...(endpoint !== undefined && { endpoint }),
    url,
    outcome,
    ...failedAs(outcome),
    events,
    at: startedAt,
    ...told(first),
    each: attempts.map(attempt => entryOf(attempt, first, events.length)),
  };
}

function told({ type, attempt, http_status, error, answer }: Told): Told {
  return { type, attempt, http_status, error, answer };
}

function entryOf(attempt: Attempted, first: Attempted, shared: number): AttemptEntry {
  const { event_id, seq = null, startedAt, duration_ms } = attempt;
  const entry: AttemptEntry = [event_id.slice(shared), seq, startedAt - first.startedAt, duration_ms];
  const other = differing(attempt, first);
  if (other) entry.push(other);
  return entry;
}

function differing(attempt: Told, first: Told): Partial<Told> | undefined {
  if (
    attempt.answer === first.answer &&
    attempt.type === first.type &&
    attempt.attempt === first.attempt &&
    attempt.http_status === first.http_status &&
    attempt.error === first.error
  )
    return undefined;
  const common = Object.entries(told(first));
  return Object.fromEntries(Object.entries(told(attempt)).filter(([, value], n) => value !== common[n]?.[1]));
}

/** The attempts of a row, or those to deliver an event, the newest first. */
export function attemptsIn(row: StoredAttempts, event_id?: string): ListedAttempt[] {
  const found: ListedAttempt[] = [];
  for (const [place, entry] of row.each.entries())
    if (event_id === undefined || row.events + entry[0] === event_id)
      found.unshift(attemptOf(row, entry, place));
  return found;
}

/** The attempt of a row with this id. */
export function attemptIn(row: StoredAttempts, id: string): ListedAttempt | undefined {
  const place = placesAfter(row._id, id);
  const entry = place === undefined ? undefined : row.each[place];
  return place === undefined || !entry ? undefined : attemptOf(row, entry, place);
}

function attemptOf(row: StoredAttempts, entry: AttemptEntry, place: number): ListedAttempt {
  const { _id, keyId, webhookId, endpoint, url, outcome, events, at } = row;
  const [rest, seq, sinceRow, duration_ms, other] = entry;
  return {
    _id: idAfter(_id, place),
    keyId,
    ...(webhookId !== undefined && { webhookId }),
    ...(endpoint !== undefined && { endpoint }),
    ...(seq !== null && { seq }),
    event_id: events + rest,
    url,
    outcome,
    ...told(row),
    ...other,
    duration_ms,
    at: new Date(at + sinceRow).toISOString(),
  };
}
