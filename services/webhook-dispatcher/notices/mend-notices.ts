import { setImmediate as nextTurn } from "node:timers/promises";
import type { NoticeRoom, StoredNotice } from "./room.ts";
import { addRun, isQueued } from "./runs.ts";

type Mending = Pick<NoticeRoom, "queue" | "notices">;

const lateMs = 60_000;
/** A notice may have 256 KB. */
const pageSize = 20;

/**
 * Queues the runs of late notices that the queue does not know, or knows as ended: whatever becomes of the queue, a
 * notice that is kept goes out. Several nodes may do so at once.
 */
export async function mendNotices(room: Mending, now: number, signal: AbortSignal): Promise<void> {
  for await (const page of lateNotices(room, now - lateMs, signal)) {
    for (const notice of page) if (!(await isQueued(room, notice))) await addRun(room, notice, now);
    // An embedded store and queue answer in the same turn.
    await nextTurn();
  }
}

/** The first ones due come first, by their index: in the order of identities all that wait would be read. */
async function* lateNotices(
  { notices }: Mending,
  before: number,
  signal: AbortSignal,
): AsyncGenerator<StoredNotice[]> {
  let last = { dueAt: 0, _id: "" };
  while (!signal.aborted) {
    const { dueAt, _id } = last;
    const beyond = { $or: [{ dueAt: { $gt: dueAt } }, { _id: { $gt: _id } }] };
    const query = { dueAt: { $gte: dueAt, $lt: before }, ...beyond };
    const page = await notices.find({ query, sort: ["dueAt", "_id"], limit: pageSize });
    yield page;
    const end = page.at(-1);
    if (!end) return;
    last = end;
  }
}
