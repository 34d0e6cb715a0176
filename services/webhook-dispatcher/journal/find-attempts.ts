import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { Query, Store } from "../../../mixins/store/store.ts";
import type { ListedAttempt, StoredAttempts } from "../webhooks.store.ts";
import { attemptIn, attemptsIn, eventsWith } from "./attempt-rows.ts";

type Rows = Pick<Store<StoredAttempts>, "find">;

interface Wanted {
  /** What an index finds. */
  query: Query<StoredAttempts>;
  /** Whether the attempts of a row are wanted, as far as what they have in common tells. */
  fits?: (row: StoredAttempts) => boolean;
  /** The event that they delivered. */
  event_id?: string | undefined;
  /** `next_cursor` of the page before: attempts with lower ids follow. */
  cursor?: string | undefined;
  limit: number;
}

/** Attempts, the newest first. It may be short before the end, where `next_cursor` is not null. */
export interface Found {
  attempts: ListedAttempt[];
  next_cursor: string | null;
}

/** Rows that are read at first, and at most, at a time; they have few attempts together where they have many each. */
const [fewestRows, mostRows, attemptsAtOnce] = [8, 64, 2_048];
/** Attempts that one page reads, at most; more for an event, whose few attempts are to be on one page. */
const [mostRead, mostReadForEvent] = [10_000, 100_000];

/** A page of the attempts that a query finds. New ones do not shift it. */
export async function findAttempts(rows: Rows, wanted: Wanted): Promise<Found> {
  const { query, limit, event_id } = wanted;
  const most = event_id === undefined ? mostRead : mostReadForEvent;
  const attempts: ListedAttempt[] = [];
  let next = wanted.cursor;
  for (let [read, many] = [0, fewestRows]; ; ) {
    const before = next === undefined ? {} : { _id: { $lt: next } };
    const found = await rows.find({ query: { ...query, ...before }, sort: ["-_id"], limit: many });
    for (const row of found) {
      attempts.push(...wantedIn(row, wanted));
      read += row.each.length;
      next = row._id;
      if (attempts.length > limit) break;
    }
    if (attempts.length > limit) return pageOf(attempts, limit);
    if (found.length < many) return { attempts, next_cursor: null };
    if (read >= most) return { attempts, next_cursor: next ?? null };
    many = rowsAfter(found);
    await yieldToLoop();
  }
}

/** How many rows to read after these. */
function rowsAfter(found: StoredAttempts[]): number {
  const attempts = found.reduce((sum, { each }) => sum + each.length, 0);
  const asMany = Math.floor((attemptsAtOnce * found.length) / attempts);
  return Math.max(1, Math.min(found.length * 2, asMany, mostRows));
}

/** A page of the attempts to deliver an event, which several kinds of rows may hold. */
export async function findOfEvent(
  rows: Rows,
  keyId: string,
  wanted: Omit<Wanted, "query"> & { event_id: string },
): Promise<Found> {
  const attempts: ListedAttempt[] = [];
  // Below this id not all rows were read.
  let floor = "";
  for (const events of eventsWith(wanted.event_id)) {
    const found = await findAttempts(rows, { ...wanted, query: { keyId, events } });
    attempts.push(...found.attempts);
    if (found.next_cursor !== null && found.next_cursor > floor) floor = found.next_cursor;
  }
  const known = attempts.filter(({ _id }) => _id >= floor).sort((a, b) => (a._id > b._id ? -1 : 1));
  return known.length > wanted.limit
    ? pageOf(known, wanted.limit)
    : { attempts: known, next_cursor: floor || null };
}

/** All attempts to deliver an event, in no order, however many other ones are in the rows that may hold them. */
export async function allOfEvent(
  rows: Rows,
  keyId: string,
  wanted: Pick<Wanted, "fits"> & { event_id: string },
): Promise<ListedAttempt[]> {
  const attempts: ListedAttempt[] = [];
  for (const events of eventsWith(wanted.event_id))
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const found = await findAttempts(rows, {
        ...wanted,
        query: { keyId, events },
        cursor,
        limit: mostRead,
      });
      attempts.push(...found.attempts);
      cursor = found.next_cursor;
    }
  return attempts;
}

function pageOf(found: ListedAttempt[], limit: number): Found {
  const attempts = found.slice(0, limit);
  return { attempts, next_cursor: attempts.at(-1)?._id ?? null };
}

/** The wanted attempts of a row; the cursor may be within it. */
function wantedIn(row: StoredAttempts, { fits, cursor, event_id }: Wanted): ListedAttempt[] {
  if (fits && !fits(row)) return [];
  const attempts = attemptsIn(row, event_id);
  return cursor === undefined ? attempts : attempts.filter(({ _id }) => _id < cursor);
}

/** The attempt with this id: in the row that begins with it, or the last one before it. */
export async function findAttempt(rows: Rows, id: string): Promise<ListedAttempt | undefined> {
  const [row] = await rows.find({ query: { _id: { $lte: id } }, sort: ["-_id"], limit: 1 });
  return row && attemptIn(row, id);
}
